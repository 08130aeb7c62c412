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
  private readonly key: KeyObject;

  constructor(keys: TokenKeys) {
    this.key = keys.of('refresh');
  }

  issue({ session, generation }: RefreshClaims): string {
    const claims = `${session}.${generation}`;
    return `${claims}.${createHmac('sha256', this.key).update(claims).digest('base64url')}`;
  }

  /** @returns nothing for what we never issued */
  read(token: string): RefreshClaims | undefined {
    const [, session, generation] = FORM.exec(token) ?? [];
    if (session === undefined || generation === undefined) return undefined;
    const claims = { session, generation: Number(generation) };
    return timingSafeEqual(Buffer.from(this.issue(claims)), Buffer.from(token))
      ? claims
      : undefined;
  }
}

/** What is stored of a token: SHA-256, in hex. */
export const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
