import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Collections } from '../../collections';
import { AppError, SeveralErrors } from '../../common/errors';
import { providedValues } from '../../common/provided-values';
import { StartupError } from '../../config/startup-error';
import { Database, type Queries } from '../../database';
import type { RelatedWriter } from '../../repository';
import { AccessWriter } from '../access-writer';
import { compareAccess, type StoredAccess } from '../compare';
import { LOCK, readStoredAccess } from '../stored-access';
import { ManagedRowProtection } from './managed-row-protection';
import { MANAGED_RULES, type ManagedRules } from './provide-rules';
import { readManagedRules, type ReadRules } from './read-managed-rules';
import { isIncomplete, isSame, storeRules, readStoredRules } from './stored-rules';
import { managedPart, refuseTaken, combineRules } from './wanted-rules';

/** Applies at each start the rules that modules provide by `provideRules`, where they are newer than the stored ones. */
@Injectable()
export class ManagedRulesService implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('ManagedRules');
  private rules: readonly ReadRules[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly collections: Collections,
    private readonly database: Database,
    private readonly protection: ManagedRowProtection,
  ) {}

  onModuleInit(): void {
    // A module may be imported several times.
    const given = new Set(providedValues<ManagedRules>(this.discovery, MANAGED_RULES));
    this.rules = readManagedRules([...given], this.collections.registry);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.rules.length === 0 || (await this.due(this.database)).length === 0) return;
    const system = this.collections.asSystem('rules of modules');
    this.protection.admit(system);
    try {
      const applied = await this.collections.transaction(system, ({ write, tx }) =>
        this.applyDue(write, tx),
      );
      for (const { key, version } of applied) {
        this.logger.log(`Rules "${key}": version ${version} is applied`);
      }
    } catch (error) {
      if (!(error instanceof AppError || error instanceof SeveralErrors)) throw error;
      const message = `The rules of provideRules cannot be applied: ${error.message}`;
      throw new StartupError(message, { cause: error });
    }
  }

  /** @throws StartupError where they differ from the stored rules of the same version */
  private async due(queries: Queries): Promise<ReadRules[]> {
    const keys = this.rules.map(({ key }) => key);
    const known = await readStoredRules(queries, keys);
    return this.rules.filter((rules) => {
      const { key, version } = rules;
      const stored = known.get(key);
      if (!stored || stored.version < version) return true;
      if (stored.version > version) {
        this.logger.warn(
          `Rules "${key}": the database has version ${stored.version}; version ${version} is not applied`,
        );
        return false;
      }
      if (!isSame(rules, stored)) {
        throw new StartupError(
          `The rules "${key}" differ from those of version ${version} in the database: raise their version.`,
        );
      }
      return isIncomplete(rules, stored);
    });
  }

  /** Of several instances that start together, one applies the rules; the others wait, and then find them applied. */
  private async applyDue(write: RelatedWriter, tx: Queries): Promise<readonly ReadRules[]> {
    await tx.query(LOCK);
    const due = await this.due(tx);
    if (due.length === 0) return due;
    const all = await readStoredAccess(tx);
    const wanted = combineRules(due);
    refuseTaken(due, all);
    const stored: StoredAccess = managedPart(all, due, wanted);
    const changes = compareAccess(wanted, stored);
    await new AccessWriter(changes, stored, write, tx).run({ roles: [], policies: [] });
    for (const rules of due) await storeRules(tx, rules);
    return due;
  }
}
