import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CookieOptions } from 'express';
import { InvalidToken } from '../../common/errors';
import { AppConfig } from '../../config/app-config';
import { Database } from '../../database';
import { CannotOpen, Sealer } from '../../secrets';
import { readCookie } from '../cookies';
import type { Exchange } from '../../common/http/exchange';

/** A sign-in between leaving for a provider and coming back. Only the browser stores it, and cannot read it. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** The secret part of PKCE. */
  readonly verifier: string;
  /** The final target, as a full and checked URL. */
  readonly redirect: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

const COOKIE = 'service_sign_in';
const PURPOSE = 'sign-in attempt';
const LIFETIME = 600_000;
const RANDOM_BYTES = 32;

/** Each use removes some expired ones, so that there are never many. */
const USE = `
  WITH expired AS (
    DELETE FROM service_used_attempts WHERE state_hash IN (
      SELECT state_hash FROM service_used_attempts WHERE expires_at <= now() LIMIT 20 FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO service_used_attempts (state_hash, expires_at)
  VALUES ($1, now() + $2::int4 * interval '1 millisecond') ON CONFLICT DO NOTHING RETURNING state_hash`;

const random = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

/** Attempts are stored in a cookie: sealed, valid for one provider's addresses and ten minutes, and used once. */
@Injectable()
export class SignInAttempts {
  /** The prefix of the service's paths, as browsers see them. */
  private readonly base: string;

  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly config: AppConfig,
  ) {
    this.base = new URL(config.publicUrl).pathname.replace(/\/$/, '');
  }

  begin(provider: string, redirect: string, { response }: Exchange): Attempt {
    const expires = Date.now() + LIFETIME;
    const attempt = { state: random(), nonce: random(), verifier: random(), redirect, expires };
    const sealed = this.sealer.seal(JSON.stringify(attempt), PURPOSE, provider);
    response.cookie(COOKIE, sealed, { ...this.attributes(provider), maxAge: LIFETIME });
    return attempt;
  }

  /** The browser's attempt, if it left for this provider recently. A cookie without one is removed. */
  find(provider: string, { request, response }: Exchange): Attempt | undefined {
    const sealed = readCookie(request, COOKIE);
    if (sealed === undefined) return undefined;
    const attempt = this.open(sealed, provider);
    if (attempt && attempt.expires > Date.now()) return attempt;
    response.clearCookie(COOKIE, this.attributes(provider));
    return undefined;
  }

  /**
   * Once across all instances: a copy of the cookie is useless. The cookie is removed.
   * @throws InvalidToken
   */
  async use(provider: string, { state }: Attempt, { response }: Exchange): Promise<void> {
    response.clearCookie(COOKIE, this.attributes(provider));
    const hash = createHash('sha256').update(state).digest('hex');
    const used = await this.database.query(USE, [hash, LIFETIME]);
    if (used.length === 0) throw new InvalidToken({}, { cause: new Error('it was used before') });
  }

  private open(sealed: string, provider: string): Attempt | undefined {
    try {
      return JSON.parse(this.sealer.open(sealed, PURPOSE, provider)) as Attempt;
    } catch (error) {
      if (error instanceof CannotOpen) return undefined;
      throw error;
    }
  }

  /** Lax whatever the other cookies are: the browser comes back from another site. */
  private attributes(provider: string): CookieOptions {
    const path = `${this.base}/auth/login/${provider}`;
    return { httpOnly: true, sameSite: 'lax', secure: this.config.cookieSecure, path };
  }
}
