import { Injectable } from '@nestjs/common';
import { InvalidPayload } from '../common/errors';
import { Networks } from '../common/networks';
import { AppConfig } from '../config/app-config';
import { type Queries, takeAdvisoryLock } from '../database';
import { type AdministratorRows, BOUND, LEVEL, SHARE, SOMEONE } from './administrator-sql';

/**
 * Serializes changes of rights: of two requests that would each remove one of the last two administrators, the second
 * sees what the first did.
 */
const LOCK = takeAdvisoryLock('administrators');

/**
 * Whether there is an administrator who can sign in: with endless access, or only with access that will end. `by
 * session`: they have a password, but passwords are not accepted, so what they have is a session or a token.
 */
export type Level = SignInLevel | 'for now, by session' | 'lasting, by session';

/** The level at any address, and at the writer's: `ip`, if known. */
export interface Levels {
  readonly anywhere: Level;
  readonly here: Level;
  readonly ip: string | null;
  /** Policies that do not count there. */
  readonly elsewhere: readonly string[];
}

type SignInLevel = 'none' | 'for now' | 'lasting';

/** Which administrators count. */
interface Counting {
  /** Whether those count who sign in with a password. */
  readonly passwords: boolean;
  /** The policies that do not count. */
  readonly ignored: readonly string[];
}

const ORDER: readonly Level[] = [
  'none',
  'for now, by session',
  'lasting, by session',
  'for now',
  'lasting',
];

export const lockPrivileges = (tx: Queries): Promise<unknown> => tx.query(LOCK);

/** Makes sure that there is always an administrator who can sign in. */
@Injectable()
export class Administrators {
  private readonly providers: readonly string[];
  private readonly passwords: boolean;

  constructor({ authProviders, authDisableDefault }: AppConfig) {
    this.providers = authProviders.map(({ name }) => name);
    this.passwords = !authDisableDefault;
  }

  /**
   * Call this in the transaction after all writes, while it holds the lock of `lockPrivileges`. Neither at any address
   * nor at the writer's may there be fewer than before: otherwise an `ip_access` could lock everybody out. Those who
   * remain are locked until the commit: a request that changes them may have begun before they were administrators.
   * @param field the written field that removed the last administrator
   * @throws InvalidPayload
   */
  async refuseFewer(tx: Queries, before: Levels, field: string): Promise<void> {
    let locked: string | undefined;
    for (;;) {
      const now = await this.levels(tx, before.ip);
      refuseLess(now, before, field);
      const remaining = await this.remaining(tx, now);
      const identity = JSON.stringify(remaining);
      if (identity === locked) return;
      await lockRows(tx, remaining);
      locked = identity;
    }
  }

  async levels(tx: Queries, ip: string | null): Promise<Levels> {
    const anywhere = await this.level(tx, []);
    const elsewhere = ip === null ? [] : await this.boundElsewhere(tx, ip);
    const here = elsewhere.length === 0 ? anywhere : await this.level(tx, elsewhere);
    return { anywhere, here, ip, elsewhere };
  }

  /** @param ignored the policies that do not count */
  private async level(tx: Queries, ignored: readonly string[]): Promise<Level> {
    const bySignIn = await this.highest(tx, { passwords: this.passwords, ignored });
    if (bySignIn !== 'none' || this.passwords) return bySignIn;
    const bySession = await this.highest(tx, { passwords: true, ignored });
    return bySession === 'none' ? bySession : `${bySession}, by session`;
  }

  private async boundElsewhere(tx: Queries, ip: string): Promise<string[]> {
    const bound = await tx.query<{ id: string; ip_access: string[] }>(BOUND);
    return bound.filter(({ ip_access }) => !new Networks(ip_access).holds(ip)).map(({ id }) => id);
  }

  private async highest(tx: Queries, { passwords, ignored }: Counting): Promise<SignInLevel> {
    const values = [this.providers, passwords, ignored];
    const [row] = await tx.query<{ level: SignInLevel }>(LEVEL, values);
    return row?.level ?? 'none';
  }

  /** For each of the levels somebody who stands for it. */
  private async remaining(
    tx: Queries,
    { anywhere, here, elsewhere }: Levels,
  ): Promise<AdministratorRows[]> {
    const remaining = await this.someone(tx, anywhere, []);
    if (elsewhere.length === 0) return remaining;
    return [...remaining, ...(await this.someone(tx, here, elsewhere))];
  }

  private async someone(
    tx: Queries,
    level: Level,
    ignored: readonly string[],
  ): Promise<AdministratorRows[]> {
    if (level === 'none') return [];
    const passwords = this.passwords || level.endsWith('by session');
    const values = [this.providers, passwords, ignored, level.startsWith('lasting')];
    return tx.query<AdministratorRows>(SOMEONE, values);
  }
}

/** @throws InvalidPayload */
function refuseLess(now: Levels, before: Levels, field: string): void {
  const isLess = (where: 'anywhere' | 'here'): boolean =>
    ORDER.indexOf(now[where]) < ORDER.indexOf(before[where]);
  if (isLess('anywhere'))
    throw new InvalidPayload({ field, reason: 'would leave no active administrator' });
  if (!isLess('here')) return;
  const reason = 'would leave no active administrator at your address';
  throw new InvalidPayload({ field, reason });
}

async function lockRows(tx: Queries, administrators: readonly AdministratorRows[]): Promise<void> {
  for (const { user, roles, access, policy } of administrators) {
    await tx.query(SHARE.users, [[user]]);
    await tx.query(SHARE.roles, [roles]);
    await tx.query(SHARE.access, [[access]]);
    await tx.query(SHARE.policies, [[policy]]);
  }
}
