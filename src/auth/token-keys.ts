import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config';

/** What a token is for. Each purpose has a key of its own: a token of one is noise to all the others. */
export type TokenPurpose = 'access' | 'refresh' | 'session';

const KEY_BYTES = 32;

@Injectable()
export class TokenKeys {
  constructor(private readonly config: AppConfig) {}

  /** As a key, not as bytes: given bytes, the JWT library tries at every signature whether they are a private key. */
  derive(purpose: TokenPurpose): KeyObject {
    const { secret } = this.config;
    const bytes = hkdfSync('sha256', secret, 'doorward', `token ${purpose}`, KEY_BYTES);
    return createSecretKey(Buffer.from(bytes));
  }
}
