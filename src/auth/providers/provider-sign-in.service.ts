import { HttpStatus, Injectable, Logger } from '@nestjs/common';
import { InvalidCredentials, InvalidOtp, InvalidToken, toAppErrors } from '../../common/errors';
import { AppConfig } from '../../config/app-config';
import type { Exchange } from '../../common/http/exchange';
import { clientOf } from '../client';
import { FailedSignIns } from '../failed-sign-ins';
import { ProviderSessions } from './provider-sessions';
import { ProviderUsers } from './provider-users';
import type { ProviderClient } from './provider-client';
import type { ProviderIdentity } from './provider-identity';
import { type ProviderView, Providers } from './providers';
import type { AuthorizeInput } from './providers.inputs';
import { redirectOf, signInPage, withReason } from './redirect';
import { type Attempt, SignInAttempts } from './sign-in-attempts';

/** `disableDefault`: sign-in by e-mail and password is off. */
export interface ProvidersAnswer {
  readonly data: readonly ProviderView[];
  readonly disableDefault: boolean;
}

/** Signing in at a provider: the redirect there, and the return with an identity that becomes a session. */
@Injectable()
export class ProviderSignInService {
  private readonly logger = new Logger('ProviderSignIn');

  constructor(
    private readonly providers: Providers,
    private readonly attempts: SignInAttempts,
    private readonly users: ProviderUsers,
    private readonly sessions: ProviderSessions,
    private readonly failures: FailedSignIns,
    private readonly config: AppConfig,
  ) {}

  list({ sessionOnly }: { readonly sessionOnly?: unknown }): ProvidersAnswer {
    const data = this.providers.list(sessionOnly !== undefined);
    return { data, disableDefault: this.config.authDisableDefault };
  }

  /**
   * Begins a sign-in.
   * @returns the provider's address, for the browser to go to
   * @throws RouteNotFound, InvalidPayload, ServiceUnavailable
   */
  async authorize(
    name: string,
    { redirect: requested }: AuthorizeInput,
    exchange: Exchange,
  ): Promise<string> {
    const client = this.providers.client(name);
    const { publicUrl } = this.config;
    const redirect = redirectOf(requested, publicUrl, client.provider.redirectAllowList);
    return client.authorizationUrl(this.attempts.begin(name, redirect, exchange));
  }

  /**
   * Where to send the browser next, signed in or with the reason why not.
   * @throws RouteNotFound
   */
  async callback(name: string, exchange: Exchange): Promise<string> {
    const client = this.providers.client(name);
    const attempt = this.attempts.find(name, exchange);
    const redirect = attempt?.redirect ?? signInPage(this.config.publicUrl);
    try {
      await this.signIn(client, attempt, exchange);
      return redirect;
    } catch (error) {
      return withReason(redirect, this.logFault(name, error));
    }
  }

  private async signIn(
    client: ProviderClient,
    attempt: Attempt | undefined,
    exchange: Exchange,
  ): Promise<void> {
    const query = queryOf(exchange);
    // Its cookie stays: another page, or an older sign-in of the same browser, must not cancel the attempt.
    if (new URLSearchParams(query).get('state') !== attempt?.state || attempt === undefined) {
      throw new InvalidToken({}, { cause: new Error('this browser did not start this sign-in') });
    }
    const { provider } = client;
    await this.attempts.use(provider.name, attempt, exchange);
    let identity: ProviderIdentity | undefined;
    try {
      identity = await client.identify(query, attempt);
      const account = await this.users.userOf(provider, identity);
      await this.sessions.begin(account, provider, exchange);
    } catch (error) {
      if (error instanceof InvalidCredentials || error instanceof InvalidOtp) {
        const user = identity && (await this.users.idOf(provider, identity));
        await this.failures.record(user, clientOf(exchange.request));
      }
      throw error;
    }
  }

  /** @returns the error's code */
  private logFault(name: string, error: unknown): string {
    const [{ code, status, cause }] = toAppErrors(error);
    const { message, stack } = cause instanceof Error ? cause : new Error('');
    if (status === HttpStatus.INTERNAL_SERVER_ERROR) this.logger.error(`${name}: ${code}`, stack);
    else this.logger.warn(`${name}: ${code}: ${message}`);
    return code;
  }
}

/** From the question mark on, as it was sent. */
function queryOf({ request: { originalUrl } }: Exchange): string {
  const at = originalUrl.indexOf('?');
  return at === -1 ? '' : originalUrl.slice(at);
}
