import type { Configuration, CustomFetch } from 'openid-client';
import { Deadline } from '../../common/deadline';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { type Answer, boundedFetch, responseOf } from './bounded-fetch';
import { checkAnswer } from './provider-answers';
import { ProviderKeys } from './provider-keys';
import { signInRequests } from './sign-in-requests';

const HOUR = 3_600_000;
/** After a failure no one asks again for this long: sign-ins are refused at once. */
const PAUSE = 5_000;
/** Seconds to wait for a provider's answer. */
const TIMEOUT = 5;
const DOCUMENT = '/.well-known/openid-configuration';

/** Loaded at the start, where there is a provider. */
export const oidc = (): Promise<typeof import('openid-client')> => import('openid-client');

/** The issuer that is named by the provider's metadata is not the configured one. */
export class OtherIssuer extends Error {
  constructor(
    readonly named: string,
    readonly configured: string,
  ) {
    super();
  }
}

/**
 * A provider's metadata, requested with the first sign-in and again every hour; while it does not answer, the last one
 * is used. Simultaneous sign-ins cause one request.
 */
export class Discovery {
  private readonly keys = new ProviderKeys();
  private latest: Answer | undefined;
  private asking: Promise<Answer> | undefined;
  private askAgain = new Deadline(0);
  private failure: unknown;

  constructor(private readonly provider: AuthProviderConfig) {}

  /**
   * For one sign-in: the library remembers keys by configuration, and these must be replaceable.
   * @throws the error of the request, where no earlier metadata is available
   */
  async get(): Promise<Configuration> {
    const metadata = responseOf(await this.metadata());
    const configuration = await discover(this.provider, () => Promise.resolve(metadata));
    const client = await oidc();
    const requests = signInRequests(configuration.serverMetadata(), this.keys);
    configuration[client.customFetch] = requests;
    return configuration;
  }

  private async metadata(): Promise<Answer> {
    if (this.askAgain.left > 0) {
      if (this.latest) return this.latest;
      throw this.failure;
    }
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async ask(): Promise<Answer> {
    try {
      this.latest = await requestMetadata(this.provider);
      this.askAgain = new Deadline(HOUR);
    } catch (error) {
      this.failure = error;
      this.askAgain = new Deadline(PAUSE);
      if (!this.latest) throw error;
    }
    return this.latest;
  }
}

/** @throws where it is not usable */
async function requestMetadata(provider: AuthProviderConfig): Promise<Answer> {
  const answers: Answer[] = [];
  await discover(provider, async (...request) => {
    const answer = await boundedFetch(...request);
    checkAnswer(answer, ['issuer']);
    answers.push(answer);
    return responseOf(answer);
  });
  const [metadata] = answers;
  if (!metadata) throw new Error('The library made no request');
  return metadata;
}

async function discover(
  { issuerUrl, clientId, clientSecret }: AuthProviderConfig,
  fetch: CustomFetch,
): Promise<Configuration> {
  const client = await oidc();
  const issuer = new URL(issuerUrl);
  const config = await client
    .discovery(
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
        [client.customFetch]: fetch,
        // The configuration has refused such an issuer in production.
        ...(issuer.protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
      },
    )
    .catch((error: unknown) => {
      throw otherIssuerIn(error) ?? error;
    });
  refuseOtherIssuer(issuer, config.serverMetadata().issuer);
  // Verifies signatures of ID tokens, although they come directly from the provider.
  client.enableNonRepudiationChecks(config);
  return config;
}

/** For an issuer URL the library has compared it; for the URL of a document it has not. */
function refuseOtherIssuer({ href, pathname }: URL, named: string): void {
  if (!pathname.endsWith(DOCUMENT)) return;
  const configured = href.slice(0, href.indexOf(DOCUMENT));
  if (named.replace(/\/$/, '') !== configured) throw new OtherIssuer(named, href);
}

/** The library's error about an issuer that is not the expected one has both in its cause. */
function otherIssuerIn(error: unknown): OtherIssuer | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const { attribute, expected, body } = (cause ?? {}) as Readonly<Record<string, unknown>>;
  const { issuer } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (attribute !== 'issuer' || typeof issuer !== 'string') return undefined;
  return new OtherIssuer(issuer, String(expected));
}
