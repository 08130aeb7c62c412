import { hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config';

/** A key for one purpose, derived from one of the listed secrets. */
interface DerivedKey {
  /** Identifies the secret and reveals nothing about it; the same for every purpose. Letters, digits, `-` and `_`. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

const SALT = 'doorward';
const KEY_BYTES = 32;
const ID_BYTES = 6;

/**
 * Derives keys by HKDF-SHA256 from each entry of SECRET. Every purpose has keys of its own: data made for one is
 * invalid for all others. A purpose is named in the code, never by a request.
 */
@Injectable()
export class SecretKeys {
  private readonly derived = new Map<string, readonly [DerivedKey, ...DerivedKey[]]>();

  constructor(private readonly config: AppConfig) {}

  /** The key that signs and seals. */
  current(purpose: string): DerivedKey {
    return this.list(purpose)[0];
  }

  /** The keys that verify and open, the current one first. */
  all(purpose: string): readonly DerivedKey[] {
    return this.list(purpose);
  }

  private list(purpose: string): readonly [DerivedKey, ...DerivedKey[]] {
    const known = this.derived.get(purpose);
    if (known) return known;
    const [first, ...older] = this.config.secrets;
    const made = [derive(first, purpose), ...older.map((each) => derive(each, purpose))] as const;
    this.derived.set(purpose, made);
    return made;
  }
}

const bytesOf = (secret: string, info: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, SALT, info, length));

const derive = (secret: string, purpose: string): DerivedKey => ({
  id: bytesOf(secret, 'key id', ID_BYTES).toString('base64url'),
  key: bytesOf(secret, purpose, KEY_BYTES),
});
