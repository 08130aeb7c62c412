import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretKeys } from '../secrets';

/** What a token is for. Each purpose has keys of its own: a token of one is noise to all the others. */
const PURPOSES = ['access', 'refresh', 'session'] as const;
export type TokenPurpose = (typeof PURPOSES)[number];

export const isPurpose = (claimed: unknown): claimed is TokenPurpose =>
  (PURPOSES as readonly unknown[]).includes(claimed);

@Injectable()
export class TokenKeys {
  private readonly keys: ReadonlyMap<TokenPurpose, readonly KeyObject[]>;

  constructor(secrets: SecretKeys) {
    // As keys, not as bytes: given bytes, the JWT library tries at every signature whether they are a private key.
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

  /** The keys that verify, the one that signs first. */
  all(purpose: TokenPurpose): readonly KeyObject[] {
    return this.keys.get(purpose) ?? [];
  }
}
