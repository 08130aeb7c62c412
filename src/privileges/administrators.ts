import { Injectable } from '@nestjs/common';
import { InvalidPayload } from '../common/errors';
import { Networks } from '../common/networks';
import { AppConfig } from '../config/app-config';
import { type Queries, takeAdvisoryLock } from '../database';

/**
 * Serializes changes of rights: of two requests that would each remove one of the last two administrators, the second
 * sees what the first did.
 */
const LOCK = takeAdvisoryLock('administrators');

/**
 * Active users who can sign in and have an administrator's policy.
 * @param lasting a condition on the access: any, or only one without an end
 */
const someone = (lasting: string): string => `
  EXISTS (
    SELECT FROM granted JOIN service_users account ON account.id = granted."user" WHERE ${CAN} AND ${lasting}
  ) OR EXISTS (
    SELECT FROM assigned granted JOIN service_users account ON account.role = granted.role WHERE ${CAN} AND ${lasting}
  ) OR EXISTS (
    SELECT FROM granted JOIN service_users account ON granted."user" IS NULL AND granted.role IS NULL
    WHERE ${CAN} AND ${lasting}
  )`;

const BOUND = `
  SELECT id, ip_access FROM service_policies WHERE admin_access AND cardinality(ip_access) > 0`;

/**
 * $1: the names of the configured providers; nobody can sign in at any other. $2: whether passwords are accepted.
 * $3: the policies that do not count.
 */
const CAN = `account.status = 'active' AND CASE account.provider
    WHEN 'default' THEN $2::boolean AND account.email IS NOT NULL AND account.password IS NOT NULL
    ELSE account.external_identifier IS NOT NULL AND account.provider = ANY($1::text[])
  END`;

const LEVEL = `
  WITH RECURSIVE granted AS (
    SELECT access."user", access.role, access.expires_at IS NULL AS endless
    FROM service_access access JOIN service_policies policy ON policy.id = access.policy
    WHERE policy.admin_access AND policy.id <> ALL($3::uuid[])
      AND (access.expires_at IS NULL OR access.expires_at > now())
  ),
  assigned(role, endless) AS (
    SELECT role, endless FROM granted WHERE role IS NOT NULL
    UNION
    SELECT role.id, assigned.endless FROM assigned JOIN service_roles role ON role.parent = assigned.role
  )
  SELECT CASE WHEN ${someone('granted.endless')} THEN 'lasting'
    WHEN ${someone('true')} THEN 'for now' ELSE 'none' END AS level`;

/**
 * Whether there is an administrator who can sign in: with endless access, or only with access that will end. `by
 * session`: they have a password, but passwords are not accepted, so what they have is a session or a token.
 */
export type Level = Found | 'for now, by session' | 'lasting, by session';

/** The level at any address, and at the writer's: `ip`, if known. */
export interface Levels {
  readonly anywhere: Level;
  readonly here: Level;
  readonly ip: string | null;
}

type Found = 'none' | 'for now' | 'lasting';

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
   * nor at the writer's may there be fewer than before: otherwise an `ip_access` could lock everybody out.
   * @param field the written field that removed the last administrator
   * @throws InvalidPayload
   */
  async refuseFewer(tx: Queries, before: Levels, field: string): Promise<void> {
    const isLess = (now: Level, earlier: Level): boolean =>
      ORDER.indexOf(now) < ORDER.indexOf(earlier);
    const { anywhere, here } = await this.levels(tx, before.ip);
    if (isLess(anywhere, before.anywhere))
      throw new InvalidPayload({ field, reason: 'would leave no active administrator' });
    if (!isLess(here, before.here)) return;
    const reason = 'would leave no active administrator at your address';
    throw new InvalidPayload({ field, reason });
  }

  async levels(tx: Queries, ip: string | null): Promise<Levels> {
    const anywhere = await this.level(tx, []);
    const ignored = ip === null ? [] : await this.boundElsewhere(tx, ip);
    return { anywhere, here: ignored.length === 0 ? anywhere : await this.level(tx, ignored), ip };
  }

  /** @param ignored the policies that do not count */
  private async level(tx: Queries, ignored: readonly string[]): Promise<Level> {
    const level = await this.levelOf(tx, this.passwords, ignored);
    if (level !== 'none' || this.passwords) return level;
    const bySession = await this.levelOf(tx, true, ignored);
    return bySession === 'none' ? bySession : `${bySession}, by session`;
  }

  private async boundElsewhere(tx: Queries, ip: string): Promise<string[]> {
    const bound = await tx.query<{ id: string; ip_access: string[] }>(BOUND);
    return bound.filter(({ ip_access }) => !new Networks(ip_access).holds(ip)).map(({ id }) => id);
  }

  /** @param passwords whether administrators with a password count */
  private async levelOf(
    tx: Queries,
    passwords: boolean,
    ignored: readonly string[],
  ): Promise<Found> {
    const values = [this.providers, passwords, ignored];
    const [row] = await tx.query<{ level: Found }>(LEVEL, values);
    return row?.level ?? 'none';
  }
}
