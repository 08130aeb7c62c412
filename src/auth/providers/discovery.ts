import type { Configuration } from 'openid-client';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { boundedFetch } from './bounded-fetch';

const HOUR = 3_600_000;
/** After a failure nobody asks again for so long: those who sign in are told at once. */
const PAUSE = 5_000;
/** Seconds that one answer of a provider is waited for. */
const TIMEOUT = 5;
const DOCUMENT = '/.well-known/openid-configuration';

/** Loaded with the first sign-in: whoever has no provider has no use for it. */
export const oidc = (): Promise<typeof import('openid-client')> => import('openid-client');

/**
 * What a provider says of itself, asked for with the first sign-in and again every hour; while it does not answer, what
 * it said last holds. Its keys are cached with it. However many ask, the provider is asked once.
 */
export class Discovery {
  private known: Configuration | undefined;
  private asking: Promise<Configuration> | undefined;
  private askAgain = 0;
  private failure: unknown;

  constructor(private readonly provider: AuthProviderConfig) {}

  /** @throws whatever kept the provider from saying it, where nothing is known of it yet */
  async get(): Promise<Configuration> {
    if (Date.now() < this.askAgain) {
      if (this.known) return this.known;
      throw this.failure;
    }
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async ask(): Promise<Configuration> {
    try {
      this.known = await discover(this.provider);
      this.askAgain = Date.now() + HOUR;
    } catch (error) {
      this.failure = error;
      this.askAgain = Date.now() + PAUSE;
      if (!this.known) throw error;
    }
    return this.known;
  }
}

async function discover({
  issuerUrl,
  clientId,
  clientSecret,
}: AuthProviderConfig): Promise<Configuration> {
  const client = await oidc();
  const issuer = new URL(issuerUrl);
  const config = await client.discovery(
    issuer,
    clientId,
    clientSecret,
    // As the provider says it takes the secret; by the standard in the header.
    (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? [];
      const posts = methods.includes('client_secret_post');
      const inBody = posts && !methods.includes('client_secret_basic');
      const send = inBody ? client.ClientSecretPost : client.ClientSecretBasic;
      send(clientSecret)(server, ...rest);
    },
    {
      timeout: TIMEOUT,
      [client.customFetch]: boundedFetch,
      // The configuration has refused such an issuer in production.
      ...(issuer.protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
    },
  );
  refuseOtherIssuer(issuer, config.serverMetadata().issuer);
  // Signatures of ID tokens are verified, although they come straight from the provider.
  client.enableNonRepudiationChecks(config);
  return config;
}

/** Given the issuer itself, the library has compared it; given its document, nobody has. */
function refuseOtherIssuer(asked: URL, issuer: string): void {
  if (!asked.pathname.endsWith(DOCUMENT)) return;
  const expected = asked.href.slice(0, asked.href.indexOf(DOCUMENT));
  if (issuer.replace(/\/$/, '') !== expected) throw new Error('speaks for another issuer');
}
