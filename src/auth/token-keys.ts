import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretKeys } from '../secrets';

/** The purpose of a token. Each purpose has keys of its own, so that its tokens are invalid for all others. */
const PURPOSES = ['access', 'refresh', 'session'] as const;
export type TokenPurpose = (typeof PURPOSES)[number];

export const isPurpose = (claimed: unknown): claimed is TokenPurpose =>
  (PURPOSES as readonly unknown[]).includes(claimed);

@Injectable()
export class TokenKeys {
  private readonly keys: ReadonlyMap<TokenPurpose, readonly KeyObject[]>;

  constructor(secrets: SecretKeys) {
    // As key objects, not as bytes: for bytes, the JWT library checks at every signature whether they are a private
    // key.
    this.keys = new Map(
      PURPOSES.map((purpose) => [
        purpose,
        secrets.all(`token ${purpose}`).map(({ key }) => createSecretKey(key)),
      ]),
    );
  }

  /** The key that signs. */
  of(purpose: TokenPurpose): KeyObject {
    const [current] = this.all(purpose);
    if (!current) throw new Error(`No key for ${purpose}`);
    return current;
  }

  /** The keys that verify, the signing one first. */
  all(purpose: TokenPurpose): readonly KeyObject[] {
    return this.keys.get(purpose) ?? [];
  }
}
