import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AppConfig } from '../config/app-config';
import { StartupError } from '../config/startup-error';
import { Database, tryAdvisoryLock, type Tx } from '../database';
import { type SealedColumn, sealedColumnsIn } from './sealed-column';
import { CannotOpen, Sealer } from './sealer';
import { SecretKeys } from './secret-keys';

const BATCH = 100;

interface SealedRow {
  readonly bound: string;
  readonly sealed: string;
}

/**
 * Keeps sealed values readable when SECRET changes: a start is refused while there are values that no listed secret
 * opens, and values under an older secret are sealed anew with the first one.
 */
@Injectable()
export class SealedValues implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Secrets');
  private readonly columns: readonly SealedColumn[];
  private stopped = false;
  private renewing: Promise<void> = Promise.resolve();

  constructor(
    discovery: DiscoveryService,
    private readonly database: Database,
    private readonly keys: SecretKeys,
    private readonly sealer: Sealer,
    private readonly config: AppConfig,
  ) {
    this.columns = sealedColumnsIn(discovery);
  }

  /** @throws StartupError */
  async onModuleInit(): Promise<void> {
    if (this.config.dropUnreadableValues) return;
    for (const column of this.columns) await this.refuseLost(column);
  }

  /** Commands come no further than `onModuleInit`, so none of them deletes a value. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.config.dropUnreadableValues) {
      for (const column of this.columns) await this.dropLost(column);
    }
    if (this.config.secrets.length > 1) this.renewing = this.renewAll();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.renewing;
  }

  private listed({ purpose }: SealedColumn): string[] {
    return this.keys.all(purpose).map(({ id }) => id);
  }

  private async refuseLost(column: SealedColumn): Promise<void> {
    const [row] = await this.database.query<{ count: number }>(countLost(column), [
      this.listed(column),
    ]);
    if (!row || row.count === 0) return;
    throw new StartupError(
      `Values in ${column.table}.${column.column} (${row.count}) were sealed with a SECRET that is no longer listed. ` +
        'Add it at the end of SECRET, after a comma, or set DROP_UNREADABLE_VALUES=true to drop these values.',
    );
  }

  private async dropLost(column: SealedColumn): Promise<void> {
    const dropped = await this.database.query(dropLost(column), [this.listed(column)]);
    if (dropped.length === 0) return;
    this.logger.warn(
      `Values in ${column.table}.${column.column} (${dropped.length}) could no longer be read and were dropped`,
    );
  }

  /** Of several instances that start together, one does the work. What it does not finish, the next start does. */
  private async renewAll(): Promise<void> {
    try {
      for (const column of this.columns) {
        let renewed = BATCH;
        while (renewed > 0 && !this.stopped) {
          renewed = await this.database.transaction((tx) => this.renewSome(tx, column));
        }
      }
    } catch (error) {
      this.logger.warn(
        'Values under an older SECRET could not be sealed anew; the next start tries again',
        error,
      );
    }
  }

  /** @returns the number of renewed values; 0 where another instance is renewing them, and where all are done */
  private async renewSome(tx: Tx, column: SealedColumn): Promise<number> {
    const [lock] = await tx.query<{ ours: boolean }>(tryAdvisoryLock('sealing'));
    if (lock?.ours !== true) return 0;
    const current = this.keys.current(column.purpose).id;
    let renewed = 0;
    for (const row of await tx.query<SealedRow>(findOlder(column), [current])) {
      const sealed = this.renewed(row, column);
      if (sealed === undefined) continue;
      await tx.query(replace(column), [row.bound, row.sealed, sealed]);
      renewed += 1;
    }
    return renewed;
  }

  private renewed({ bound, sealed }: SealedRow, { purpose }: SealedColumn): string | undefined {
    try {
      return this.sealer.seal(this.sealer.open(sealed, purpose, bound), purpose, bound);
    } catch (error) {
      if (error instanceof CannotOpen) return undefined;
      throw error;
    }
  }
}

const keyIdIn = (column: string): string => `split_part("${column}", '.', 1)`;

/** The first condition is implied by the second, but lets PostgreSQL use indexes on rows that are not null. */
const isLost = (column: string): string =>
  `"${column}" IS NOT NULL AND ${keyIdIn(column)} <> ALL($1::text[])`;

const countLost = ({ table, column }: SealedColumn): string =>
  `SELECT count(*)::int4 AS count FROM "${table}" WHERE ${isLost(column)}`;

const dropLost = ({ table, column, whenLost }: SealedColumn): string =>
  whenLost === 'clear'
    ? `UPDATE "${table}" SET "${column}" = NULL WHERE ${isLost(column)} RETURNING 1`
    : `DELETE FROM "${table}" WHERE ${isLost(column)} RETURNING 1`;

const findOlder = ({ table, column, boundTo }: SealedColumn): string => `
  SELECT "${boundTo}"::text AS bound, "${column}" AS sealed FROM "${table}"
  WHERE "${column}" IS NOT NULL AND ${keyIdIn(column)} <> $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;

const replace = ({ table, column, boundTo }: SealedColumn): string =>
  `UPDATE "${table}" SET "${column}" = $3 WHERE "${boundTo}" = $1 AND "${column}" = $2`;
