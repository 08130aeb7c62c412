import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UUID_PATTERN } from '../../engine';
import { TokenKeys } from '../token-keys';

/** The position of a refresh token in its family. */
export interface RefreshClaims {
  readonly session: string;
  /** How often the family had been rotated when it was issued. */
  readonly generation: number;
}

const FORM = new RegExp(String.raw`^(${UUID_PATTERN})\.(0|[1-9]\d{0,8})\.([\w-]{43})$`);

/**
 * `<session>.<generation>.<HMAC of both>`: every token ever issued is recognised although none is stored, and a token's
 * successor follows from it alone, so that simultaneous rotations of one token give the same result.
 */
@Injectable()
export class RefreshTokens {
  private readonly keys: readonly KeyObject[];

  constructor(keys: TokenKeys) {
    this.keys = keys.all('refresh');
  }

  /** Signed with the current key. */
  issue(claims: RefreshClaims): string {
    const [token] = this.forms(claims);
    if (token === undefined) throw new Error('There is no key');
    return token;
  }

  /** @returns undefined for a token that was never issued */
  read(token: string): RefreshClaims | undefined {
    const [, session, generation] = FORM.exec(token) ?? [];
    if (session === undefined || generation === undefined) return undefined;
    const claims = { session, generation: Number(generation) };
    const bytes = Buffer.from(token);
    const isOurs = this.forms(claims).some((form) => timingSafeEqual(Buffer.from(form), bytes));
    return isOurs ? claims : undefined;
  }

  /**
   * The possible digests of the token with these claims: while SECRET is replaced, one instance issues it under the new
   * key, another under the old one, and a session cookie does not show which.
   */
  digests(claims: RefreshClaims): string[] {
    return this.forms(claims).map(digest);
  }

  private forms({ session, generation }: RefreshClaims): string[] {
    const claims = `${session}.${generation}`;
    return this.keys.map(
      (key) => `${claims}.${createHmac('sha256', key).update(claims).digest('base64url')}`,
    );
  }
}

/** The stored form of a token: SHA-256, in hex. */
export const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
