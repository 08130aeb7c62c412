import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretKeys } from '../secrets';

const PURPOSE = 'limits';
const LENGTH = 22;

/** Names of counters: whoever reads the store learns neither who tried to sign in nor from where. */
@Injectable()
export class LimitKeys {
  constructor(private readonly keys: SecretKeys) {}

  /** @param kind of a few fixed words; the parts may hold anything */
  of(kind: string, ...parts: readonly string[]): string {
    const { key } = this.keys.current(PURPOSE);
    const hmac = createHmac('sha256', key).update(JSON.stringify([kind, ...parts]));
    return `${kind}:${hmac.digest('base64url').slice(0, LENGTH)}`;
  }
}
