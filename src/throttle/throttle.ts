import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidCredentials, InvalidOtp, InvalidPayload } from '../common/errors';
import { FairLimiter } from '../common/fair-limiter';
import { HASH_CONCURRENCY } from '../common/hash-concurrency';
import { networkOf } from '../common/networks';
import { addressOf } from '../common/request/address';
import { AppConfig } from '../config/app-config';
import { AuthSettings } from '../settings';
import { Counters } from './counters/counters';
import { Guesses, requestsExceeded } from './guesses';
import { CounterKeys } from './counters/counter-keys';
import { RequestCounter } from './request-counter';

/** More than can be hashed at once: while some attempts wait for the database, no thread should be idle. */
const CONCURRENCY = HASH_CONCURRENCY + 2;
/** So that nobody waits for much more than ten seconds. */
const MAX_WAITING = 250;

/**
 * Limits how often secrets may be tried, counted across instances: requests of a network, wrong passwords for an
 * account from a network, wrong codes of a user. Each counter expires a fixed time after its first point.
 */
@Injectable()
export class Throttle {
  private readonly limiter = new FairLimiter({
    concurrency: CONCURRENCY,
    maxQueued: MAX_WAITING,
  });
  private readonly requests: RequestCounter;
  private readonly guesses: Guesses;

  constructor(
    private readonly config: AppConfig,
    private readonly settings: AuthSettings,
    private readonly keys: CounterKeys,
    private readonly counters: Counters,
  ) {
    const { requests, requestsWindow } = config.rateLimits;
    this.requests = new RequestCounter(counters, requests, requestsWindow);
    this.guesses = new Guesses(counters);
  }

  /** Where attempts are counted, and whether the instances currently share that store. */
  async state(): Promise<{ store: Counters['store']; shared: boolean }> {
    return { store: this.counters.store, shared: await this.counters.isShared() };
  }

  /**
   * Counts a request to sign in, or to a related route, for the network that it comes from.
   * @throws RequestsExceeded with the seconds after which it may be sent again
   */
  async countRequest(request: Request): Promise<void> {
    if (!this.config.rateLimits.enabled) return;
    const wait = await this.requests.take(this.keys.of('requests', networkFrom(request)));
    if (wait > 0) throw requestsExceeded(wait);
  }

  /**
   * Checks a password that somebody signs in with. A bounded number of checks run at a time, networks by turns. A wrong one
   * (`InvalidCredentials`) counts for the account as seen from that network; a right one forgets those before it. Not
   * within a transaction: the check may need a connection that others hold while they wait for their turn.
   * @param account the address, in the form that all spellings of it have in common
   * @throws RequestsExceeded, ServiceUnavailable when too many wait, and whatever the check does
   */
  attemptSignIn<T>(request: Request, account: string, check: () => Promise<T>): Promise<T> {
    const network = networkFrom(request);
    return this.limiter.run(async () => {
      const { enabled, failuresWindow: windowMs } = this.config.rateLimits;
      const { loginAttempts: maxWrong } = enabled ? await this.settings.read() : UNLIMITED;
      if (maxWrong === null) return check();
      const key = this.keys.of('failures', account, network);
      return this.guesses.guess(
        key,
        { maxWrong, windowMs, isWrong: isWrongPassword, resetsOnSuccess: true },
        check,
      );
    }, network);
  }

  /**
   * Checks a one-time password, a recovery code or the current password of a user; all of them count together, from
   * whatever network. A right one does not reset the count: whoever knows one of the secrets must not gain attempts at
   * another. It may be called within a transaction.
   * @throws RequestsExceeded; what the check throws
   */
  attemptCode<T>(user: string, check: () => Promise<T>): Promise<T> {
    const { enabled, codes: maxWrong, codesWindow: windowMs } = this.config.rateLimits;
    if (!enabled) return check();
    const limit = { maxWrong, windowMs, isWrong: isWrongCode, resetsOnSuccess: false };
    return this.guesses.guess(this.keys.of('codes', user), limit, check);
  }
}

const UNLIMITED = { loginAttempts: null } as const;

const networkFrom = (request: Request): string => networkOf(addressOf(request));

const isWrongPassword = (error: unknown): boolean => error instanceof InvalidCredentials;

const isWrongCode = (error: unknown): boolean =>
  error instanceof InvalidOtp ||
  error instanceof InvalidPayload ||
  error instanceof InvalidCredentials;
