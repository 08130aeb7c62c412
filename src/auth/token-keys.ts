import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config';

/** What a token is for. Each purpose has a key of its own: a token of one is noise to all the others. */
const PURPOSES = ['access', 'refresh', 'session'] as const;
export type TokenPurpose = (typeof PURPOSES)[number];

export const isPurpose = (claimed: unknown): claimed is TokenPurpose =>
  (PURPOSES as readonly unknown[]).includes(claimed);

const KEY_BYTES = 32;

@Injectable()
export class TokenKeys {
  private readonly keys: ReadonlyMap<TokenPurpose, KeyObject>;

  constructor(config: AppConfig) {
    this.keys = new Map(PURPOSES.map((purpose) => [purpose, derive(config.secret, purpose)]));
  }

  of(purpose: TokenPurpose): KeyObject {
    const key = this.keys.get(purpose);
    if (!key) throw new Error(`No key for ${purpose}`);
    return key;
  }
}

/** As a key, not as bytes: given bytes, the JWT library tries at every signature whether they are a private key. */
function derive(secret: AppConfig['secret'], purpose: TokenPurpose): KeyObject {
  const bytes = hkdfSync('sha256', secret, 'doorward', `token ${purpose}`, KEY_BYTES);
  return createSecretKey(Buffer.from(bytes));
}
