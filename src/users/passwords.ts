import { randomBytes } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { compare, getRounds, hash } from 'bcrypt';
import { FairLimiter } from '../common/fair-limiter';
import { HASH_CONCURRENCY } from '../common/hash-concurrency';
import { Database } from '../database';
import { AppConfig } from '../config/app-config';
import { isTooLong } from '../config/password-bounds';

const SALT_AND_DIGEST = 53;
/** More would wait for over ten seconds. */
const MAX_WAITING = 250;

/** Costs above the configurable maximum are not compensated for. */
const MAX_COST = 15;

const COST = /^\$2[aby]\$(\d\d)\$/;
/** The greatest cost among the stored hashes, as its two digits; an index has the same expression. */
const GREATEST = `SELECT max(substring(password FROM '^\\$2[aby]\\$(\\d\\d)\\$')) AS cost FROM service_users`;

/**
 * Hashes and compares passwords. A failed comparison costs the same for a hash of any cost and for none: as much as a
 * new hash, or as the costliest stored one. A bounded number runs at a time, and they wait only for processors, so that
 * it may be called within a transaction.
 */
@Injectable()
export class Passwords implements OnApplicationBootstrap {
  private readonly limiter = new FairLimiter({
    concurrency: HASH_CONCURRENCY,
    maxQueued: MAX_WAITING,
  });
  private readonly dummies = new Map<number, string>();
  private greatest: number;

  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
  ) {
    this.greatest = config.bcryptCost;
  }

  /** The cost may have been higher before this start. */
  async onApplicationBootstrap(): Promise<void> {
    const [row] = await this.database.query<{ cost: string | null }>(GREATEST);
    this.noteCost(Number(row?.cost ?? 0));
  }

  /**
   * @param requester the origin, for taking turns where one asks for many
   * @throws ServiceUnavailable when too many are waiting
   */
  hash(password: string, requester?: string): Promise<string> {
    return this.limiter.run(() => hash(password, this.config.bcryptCost), requester);
  }

  /**
   * @param stored null where no sign-in is possible: costs the same, and never matches
   * @param requester as for `hash`
   * @throws ServiceUnavailable when too many are waiting
   */
  matches(password: string, stored: string | null, requester?: string): Promise<boolean> {
    return this.limiter.run(() => this.compare(password, stored), requester);
  }

  private async compare(password: string, stored: string | null): Promise<boolean> {
    const cost = isTooLong(password) || stored === null ? undefined : costOf(stored);
    if (cost === undefined || stored === null) {
      await this.compareDummy(this.greatest);
      return false;
    }
    // Made by another instance meanwhile.
    this.noteCost(cost);
    if (await compare(password, stored)) return true;
    // Each cost is twice the previous one: a hash of this cost plus one of each cost from it up add up to the greatest.
    for (let missing = cost; missing < this.greatest; missing += 1)
      await this.compareDummy(missing);
    return false;
  }

  /** Whether it was made with a lower cost. */
  isOutdated(stored: string): boolean {
    return getRounds(stored) < this.config.bcryptCost;
  }

  private noteCost(cost: number): void {
    this.greatest = Math.min(Math.max(this.greatest, cost), MAX_COST);
  }

  /** Takes as long as a comparison with a hash of this cost. */
  private async compareDummy(cost: number): Promise<void> {
    const dummy = this.dummies.get(cost) ?? dummyHash(cost);
    this.dummies.set(cost, dummy);
    await compare('', dummy);
  }
}

const costOf = (stored: string): number | undefined => {
  const digits = COST.exec(stored)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** A well-formed hash that no known password matches. */
function dummyHash(cost: number): string {
  const random = randomBytes(SALT_AND_DIGEST).toString('base64').replaceAll('+', '.');
  return `$2b$${String(cost).padStart(2, '0')}$${random.slice(0, SALT_AND_DIGEST)}`;
}
