import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { compare, getRounds, hash } from 'bcrypt';
import { AppConfig } from '../config/app-config';

/** bcrypt reads no further, and would take a longer password for its beginning. */
export const MOST_PASSWORD_BYTES = 72;
const SALT_AND_DIGEST = 53;

/** Hashes passwords and compares them, at a cost that does not tell whether there was anything to compare with. */
@Injectable()
export class Passwords {
  private readonly dummy: string;

  constructor(private readonly config: AppConfig) {
    this.dummy = dummyHash(config.bcryptCost);
  }

  hash(password: string): Promise<string> {
    return hash(password, this.config.bcryptCost);
  }

  /** @param stored nothing where nobody may sign in: costs the same, and is no match */
  async matches(password: string, stored: string | null): Promise<boolean> {
    const whole = Buffer.byteLength(password) <= MOST_PASSWORD_BYTES;
    const known = whole ? stored : null;
    const same = await compare(whole ? password : '', known ?? this.dummy);
    return same && known !== null;
  }

  /** Whether it was made when the cost was lower. */
  isOutdated(stored: string): boolean {
    return getRounds(stored) < this.config.bcryptCost;
  }
}

/** The form of a hash, of no password: nobody knows one that has it. */
function dummyHash(cost: number): string {
  const random = randomBytes(SALT_AND_DIGEST).toString('base64').replaceAll('+', '.');
  return `$2b$${String(cost).padStart(2, '0')}$${random.slice(0, SALT_AND_DIGEST)}`;
}
