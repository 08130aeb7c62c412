import { createHash } from 'node:crypto';
import type * as Oidc from 'openid-client';
import { InvalidCredentials, InvalidToken, ServiceUnavailable } from '../../common/errors';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { ProviderUnreachable } from './bounded-fetch';
import { Discovery, oidc } from './discovery';
import { type Claims, type ProviderIdentity, identityOf, isComplete } from './provider-identity';
import type { Attempt } from './sign-in-attempts';

/** Simultaneous requests to the provider; with more, it is slow or down. */
const MAX_AT_ONCE = 50;

/** One provider, by OpenID Connect: code flow with PKCE, state and nonce. */
export class ProviderClient {
  private readonly discovery: Discovery;
  private atOnce = 0;

  /** @param callback the address to which the provider returns the browser */
  constructor(
    readonly provider: AuthProviderConfig,
    private readonly callback: string,
  ) {
    this.discovery = new Discovery(provider);
  }

  /**
   * The address to send the browser to.
   * @throws ServiceUnavailable
   */
  async addressFor({ state, nonce, verifier }: Attempt): Promise<string> {
    return this.bounded(async () => {
      const configuration = await this.discovery.get();
      const { buildAuthorizationUrl } = await oidc();
      return buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: this.callback, scope: this.provider.scope, state, nonce },
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).href;
    });
  }

  /**
   * The person who came back, once the provider has confirmed them: state, nonce, code and verifier belong to this
   * attempt; issuer, audience, signature and time of the ID token are valid.
   * @param query the query string of the callback, from the question mark on
   * @throws InvalidToken, InvalidCredentials, ServiceUnavailable
   */
  async identify(query: string, { state, nonce, verifier }: Attempt): Promise<ProviderIdentity> {
    return this.bounded(async () => {
      const configuration = await this.discovery.get();
      const client = await oidc();
      const tokens = await client.authorizationCodeGrant(
        configuration,
        new URL(query, this.callback),
        {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        },
      );
      const id: Claims = tokens.claims() ?? {};
      const info = await this.userInfo(client, configuration, tokens.access_token, id);
      return identityOf(this.provider, id, info);
    });
  }

  private async userInfo(
    client: typeof Oidc,
    configuration: Oidc.Configuration,
    accessToken: string,
    id: Claims,
  ): Promise<Claims> {
    const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
    if (endpoint === undefined || isComplete(this.provider, id)) return {};
    return client.fetchUserInfo(configuration, accessToken, String(id['sub']));
  }

  private async bounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.atOnce >= MAX_AT_ONCE) throw down(new Error('too many sign-ins at once'));
    this.atOnce += 1;
    try {
      return await work();
    } catch (error) {
      throw await refusalOf(error);
    } finally {
      this.atOnce -= 1;
    }
  }
}

const down = (cause: unknown): Error =>
  new ServiceUnavailable({ reason: 'the provider of this sign-in cannot be reached' }, { cause });

/** Distinguishes faults of the provider from possible forgeries. Only the code of a library's error is logged. */
async function refusalOf(error: unknown): Promise<unknown> {
  if (error instanceof InvalidCredentials) return error;
  const { AuthorizationResponseError, ClientError, ResponseBodyError } = await oidc();
  const unreachable = causeIn(error);
  if (unreachable) return down(unreachable);
  if (error instanceof AuthorizationResponseError) {
    const cause = new Error(`the provider refused: ${word(error.error)}`);
    return PROVIDER_FAULTS.has(error.error) ? down(cause) : new InvalidCredentials({}, { cause });
  }
  if (error instanceof ResponseBodyError) {
    const cause = new Error(`the provider took no code: ${word(error.error)}`);
    return error.error === 'invalid_grant' ? new InvalidToken({}, { cause }) : down(cause);
  }
  const code = error instanceof ClientError ? error.code : undefined;
  const cause = new Error(`the answer is not valid: ${word(code ?? 'malformed')}`);
  return new InvalidToken({}, { cause });
}

const PROVIDER_FAULTS: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

/** The library wraps errors of its requests. */
function causeIn(error: unknown): ProviderUnreachable | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderUnreachable) return cause;
  }
  return undefined;
}

/** Part of an answer, or of an address that anyone may have written: logged only if it is a single word. */
const word = (text: string): string => (/^[\w.-]{1,60}$/.test(text) ? text : 'unknown');
