import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AppConfig } from '../../../src/config/app-config';
import { SecretKeys } from '../../../src/secrets';

interface Claims {
  readonly sub: string;
  readonly exp: number;
}

/** Reads the user from the service's tokens, checking only signature and expiry. */
export class BearerTokens {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = new SecretKeys({ secrets: [secret] } as unknown as AppConfig).current(
      'token access',
    ).key;
  }

  /** @returns the user's key */
  userOf(authorization = ''): string {
    const [, head = '', payload = '', sent = ''] =
      /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization) ?? [];
    const signature = Buffer.from(sent, 'base64url');
    const right = createHmac('sha256', this.key).update(`${head}.${payload}`).digest();
    if (signature.length !== right.length || !timingSafeEqual(signature, right)) throw refused();
    const { sub, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    if (exp * 1000 <= Date.now()) throw refused();
    return sub;
  }
}

const refused = () => Object.assign(new Error('Not signed in'), { statusCode: 401 });
