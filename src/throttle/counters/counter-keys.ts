import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretKeys } from '../../secrets';

const PURPOSE = 'limits';
const LENGTH = 22;

/** Makes the keys of counters. They are hashed: the store does not reveal who tried to sign in, or from where. */
@Injectable()
export class CounterKeys {
  constructor(private readonly keys: SecretKeys) {}

  /** @param kind one of a few fixed words; the parts may be any text */
  of(kind: string, ...parts: readonly string[]): string {
    const { key } = this.keys.current(PURPOSE);
    const hmac = createHmac('sha256', key).update(JSON.stringify([kind, ...parts]));
    return `${kind}:${hmac.digest('base64url').slice(0, LENGTH)}`;
  }
}
