import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UUID_PATTERN } from '../engine';
import { TokenKeys } from './token-keys';

/** The place of a refresh token in its family. */
export interface RefreshClaims {
  readonly session: string;
  /** How often the family had rotated when it was issued. */
  readonly generation: number;
}

const FORM = new RegExp(String.raw`^(${UUID_PATTERN})\.(0|[1-9]\d{0,8})\.([\w-]{43})$`);

/**
 * `<session>.<generation>.<HMAC of both>`: every token that we ever issued is known as ours although none is stored,
 * and the successor of one follows from it alone, so that whoever rotates the same token gets the same.
 */
@Injectable()
export class RefreshTokens {
  private readonly keys: readonly KeyObject[];

  constructor(keys: TokenKeys) {
    this.keys = keys.all('refresh');
  }

  /** Under the current key. */
  issue(claims: RefreshClaims): string {
    const [token] = this.forms(claims);
    if (token === undefined) throw new Error('There is no key');
    return token;
  }

  /** @returns nothing for what we never issued */
  read(token: string): RefreshClaims | undefined {
    const [, session, generation] = FORM.exec(token) ?? [];
    if (session === undefined || generation === undefined) return undefined;
    const claims = { session, generation: Number(generation) };
    const bytes = Buffer.from(token);
    const isOurs = this.forms(claims).some((form) => timingSafeEqual(Buffer.from(form), bytes));
    return isOurs ? claims : undefined;
  }

  /**
   * What may be stored of the token with these claims: while SECRET changes, one instance issues it under the new key,
   * another under the old one, and a session cookie does not say which.
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

/** What is stored of a token: SHA-256, in hex. */
export const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
