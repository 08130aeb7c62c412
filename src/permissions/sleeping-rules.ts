import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { mentionSlow } from '../common/mention-slow';
import { inTurns } from '../common/next-turn';
import { Collections } from '../collections';
import { Database, type Queries, type Tx } from '../database';
import { markRule, parseAwake, RULES_PER_TURN } from '../repository';
import {
  isMarked,
  lockRules,
  type MarkedRule,
  readAllRules,
  type StoredRule,
  storeMarks,
} from './stored-rules';

const IS_THERE = 'SELECT to_regclass(quote_ident($1)) IS NOT NULL AS there';
const REMOVE = 'DELETE FROM service_permissions WHERE id = $1';

/** What a start does to a rule: deletes it, or stores its marks. */
type Change = 'delete' | MarkedRule;

/**
 * At each start marks the tables and columns that are registered, and rules with the marks of what they name. A rule is
 * kept as long as these exist: where a module is not loaded its rules are disabled, and not deleted.
 */
@Injectable()
export class SleepingRules implements OnApplicationBootstrap {
  private readonly logger = new Logger(SleepingRules.name);

  constructor(
    private readonly collections: Collections,
    private readonly database: Database,
  ) {}

  /** Whoever holds a table or a rule for long delays a start, and does not make it fail. */
  async onApplicationBootstrap(): Promise<void> {
    await mentionSlow(this.markAll(), () =>
      this.logger.log(
        'The start waits for another transaction that holds a table or a rule: pg_blocking_pids() names its session',
      ),
    );
  }

  /** Locks only the rules that it changes, nearly always none: such a start waits for no one. */
  private async markAll(): Promise<void> {
    await this.collections.currentMarks.reload();
    const outdated = await this.changesOf(this.database, await readAllRules(this.database));
    if (outdated.size === 0) return;
    const keys = [...outdated.keys()].map(({ id }) => id);
    await this.database.transaction(
      async (tx) => this.carryOut(tx, await this.changesOf(tx, await lockRules(tx, keys))),
      { withoutTimeouts: true, retried: true },
    );
  }

  private async carryOut(tx: Tx, changes: ReadonlyMap<StoredRule, Change>): Promise<void> {
    const marked: MarkedRule[] = [];
    for (const [rule, change] of changes) {
      if (change !== 'delete') {
        this.reportSleep(rule, change);
        marked.push(change);
        continue;
      }
      this.logger.warn(
        `Rule ${rule.id} on ${rule.collection} names a table that no longer exists: the rule is deleted`,
      );
      await tx.query(REMOVE, [rule.id]);
    }
    await storeMarks(tx, marked);
  }

  private reportSleep({ id, collection, asleep }: StoredRule, marked: MarkedRule): void {
    if (!marked.asleep || asleep) return;
    this.logger.log(
      `Rule ${id} on ${collection} sleeps: it names a collection or field that is not registered, or was replaced by another`,
    );
  }

  /** Of the rules that are lost, or not marked as they should be. */
  private async changesOf(
    queries: Queries,
    rules: readonly StoredRule[],
  ): Promise<ReadonlyMap<StoredRule, Change>> {
    const changes = new Map<StoredRule, Change>();
    await inTurns(rules, RULES_PER_TURN, async (rule) => {
      const change = await this.changeOf(queries, rule);
      if (change) changes.set(rule, change);
    });
    return changes;
  }

  private async changeOf(queries: Queries, rule: StoredRule): Promise<Change | undefined> {
    const { registry, currentMarks } = this.collections;
    if (await this.isLost(queries, rule)) return 'delete';
    const asleep = 'asleep' in parseAwake(rule, registry, currentMarks);
    const marked = { id: rule.id, marks: markRule(rule, rule, registry, currentMarks), asleep };
    return isMarked(rule, marked) ? undefined : marked;
  }

  /** Rules from before marks existed, for a collection that is neither registered nor a table. */
  private async isLost(queries: Queries, { collection, marks }: StoredRule): Promise<boolean> {
    if (this.collections.registry.get(collection) || marks.names?.[collection]) return false;
    const [found] = await queries.query<{ there: boolean }>(IS_THERE, [collection]);
    return found?.there !== true;
  }
}
