import { randomBytes } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { compare, getRounds, hash } from 'bcrypt';
import { FairLimiter, HASHES_AT_ONCE } from '../common/fair-limiter';
import { Database } from '../database';
import { AppConfig } from '../config/app-config';

/** bcrypt reads no further, and would take a longer password for its beginning. */
export const MAX_PASSWORD_BYTES = 72;
const SALT_AND_DIGEST = 53;
/** Longer than some ten seconds nobody waits in vain. */
const MAX_WAITING = 250;

/** Beyond the greatest that may be configured nobody waits for it to be made up for. */
const MAX_COST = 15;

const COST = /^\$2[aby]\$(\d\d)\$/;
/** The greatest cost among the hashes that are stored, as its two digits; an index has the same expression. */
const GREATEST = `SELECT max(substring(password FROM '^\\$2[aby]\\$(\\d\\d)\\$')) AS cost FROM service_users`;

/**
 * Hashes passwords and compares them. A comparison that fails costs the same whatever it was made with, a hash of any
 * cost or none: as much as hashing anew, or as much as the costliest hash that is stored. A bounded number runs at a time,
 * and nothing that does waits for anything but a processor: so it may be asked within a transaction.
 */
@Injectable()
export class Passwords implements OnApplicationBootstrap {
  private readonly limiter = new FairLimiter(HASHES_AT_ONCE, MAX_WAITING);
  private readonly dummies = new Map<number, string>();
  private greatest: number;

  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
  ) {
    this.greatest = config.bcryptCost;
  }

  /** The cost may have been greater before this start. */
  async onApplicationBootstrap(): Promise<void> {
    const [row] = await this.database.query<{ cost: string | null }>(GREATEST);
    this.learn(Number(row?.cost ?? 0));
  }

  /**
   * @param requester who takes turns at it, where one asks for many
   * @throws ServiceUnavailable when too many wait
   */
  hash(password: string, requester?: string): Promise<string> {
    return this.limiter.run(() => hash(password, this.config.bcryptCost), requester);
  }

  /**
   * @param stored nothing where nobody may sign in: costs the same, and is no match
   * @throws ServiceUnavailable when too many wait
   */
  matches(password: string, stored: string | null): Promise<boolean> {
    return this.limiter.run(() => this.compare(password, stored));
  }

  private async compare(password: string, stored: string | null): Promise<boolean> {
    const whole = Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
    const cost = whole && stored !== null ? costOf(stored) : undefined;
    if (cost === undefined || stored === null) {
      await this.waste(this.greatest);
      return false;
    }
    // Made elsewhere meanwhile.
    this.learn(cost);
    if (await compare(password, stored)) return true;
    // Each cost is twice the one below: a hash and one of each cost from its own up make the next.
    for (let missing = cost; missing < this.greatest; missing += 1) await this.waste(missing);
    return false;
  }

  /** Whether it was made when the cost was lower. */
  isOutdated(stored: string): boolean {
    return getRounds(stored) < this.config.bcryptCost;
  }

  private learn(cost: number): void {
    this.greatest = Math.min(Math.max(this.greatest, cost), MAX_COST);
  }

  private async waste(cost: number): Promise<void> {
    const dummy = this.dummies.get(cost) ?? dummyHash(cost);
    this.dummies.set(cost, dummy);
    await compare('', dummy);
  }
}

const costOf = (stored: string): number | undefined => {
  const digits = COST.exec(stored)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** The form of a hash, of no password: nobody knows one that has it. */
function dummyHash(cost: number): string {
  const random = randomBytes(SALT_AND_DIGEST).toString('base64').replaceAll('+', '.');
  return `$2b$${String(cost).padStart(2, '0')}$${random.slice(0, SALT_AND_DIGEST)}`;
}
