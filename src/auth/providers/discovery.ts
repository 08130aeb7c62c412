import type { Configuration } from 'openid-client';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { boundedFetch } from './bounded-fetch';

const HOUR = 3_600_000;
/** After a failure no one asks again for this long: sign-ins are refused at once. */
const PAUSE = 5_000;
/** Seconds to wait for a provider's answer. */
const TIMEOUT = 5;
const DOCUMENT = '/.well-known/openid-configuration';

/** Loaded at the start, where there is a provider. */
export const oidc = (): Promise<typeof import('openid-client')> => import('openid-client');

class OtherIssuer extends Error {
  readonly code = 'OTHER_ISSUER';
}

/**
 * A provider's metadata, requested with the first sign-in and again every hour; while it does not answer, the last one
 * is used. Its keys are cached with it. Simultaneous sign-ins cause one request.
 */
export class Discovery {
  private known: Configuration | undefined;
  private asking: Promise<Configuration> | undefined;
  private askAgain = 0;
  private failure: unknown;

  constructor(private readonly provider: AuthProviderConfig) {}

  /** @throws the error of the request, where no earlier metadata is available */
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
    // Sends the secret in the way that the metadata states; by default in the header.
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
  if (isOfOtherIssuer(issuer, config.serverMetadata().issuer)) throw new OtherIssuer();
  // Verifies signatures of ID tokens, although they come directly from the provider.
  client.enableNonRepudiationChecks(config);
  return config;
}

/** For an issuer URL the library has compared it; for the URL of a document it has not. */
function isOfOtherIssuer(asked: URL, issuer: string): boolean {
  if (!asked.pathname.endsWith(DOCUMENT)) return false;
  const expected = asked.href.slice(0, asked.href.indexOf(DOCUMENT));
  return issuer.replace(/\/$/, '') !== expected;
}
