import { createHash } from 'node:crypto';
import type * as Oidc from 'openid-client';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { Discovery, oidc } from './discovery';
import { providerUnavailable, faultOf, refusalOf } from './provider-faults';
import { type Claims, type ProviderIdentity, identityOf, isComplete } from './provider-identity';
import type { Attempt } from './sign-in-attempts';

/** Simultaneous requests to the provider; with more, it is slow or down. */
const MAX_CONCURRENT = 50;

/** One provider, by OpenID Connect: code flow with PKCE, state and nonce. */
export class ProviderClient {
  private readonly discovery: Discovery;
  private running = 0;

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
  async authorizationUrl({ state, nonce, verifier }: Attempt): Promise<string> {
    return this.bounded(async () => {
      const configuration = await this.discovery.get();
      const { buildAuthorizationUrl } = await oidc();
      return buildAuthorizationUrl(configuration, {
        redirect_uri: this.callback,
        scope: this.provider.scope,
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).href;
    }, faultOf);
  }

  /**
   * The person who came back, once the provider has confirmed them: state, nonce, code and verifier belong to this
   * attempt; issuer, audience, signature and time of the ID token are valid.
   * @param query the query string of the callback, from the question mark on
   * @throws InvalidToken, InvalidCredentials, ServiceUnavailable
   */
  async identify(query: string, { state, nonce, verifier }: Attempt): Promise<ProviderIdentity> {
    return this.bounded(async () => {
      const configuration = await this.discovery.get().catch((error: unknown) => {
        throw faultOf(error);
      });
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
    }, refusalOf);
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

  private async bounded<T>(
    work: () => Promise<T>,
    translate: (error: unknown) => unknown,
  ): Promise<T> {
    if (this.running >= MAX_CONCURRENT)
      throw providerUnavailable(new Error('too many sign-ins at once'));
    this.running += 1;
    try {
      return await work();
    } catch (error) {
      throw await translate(error);
    } finally {
      this.running -= 1;
    }
  }
}
