import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { inTurns } from '../common/next-turn';
import { Collections } from '../collections';
import { Database, type Tx } from '../database';
import { markRule, parseAwake, RULES_PER_TURN } from '../repository';
import {
  isMarked,
  lockAllRules,
  type MarkedRule,
  type StoredRule,
  storeMarks,
} from './stored-rules';

const IS_THERE = 'SELECT to_regclass(quote_ident($1)) IS NOT NULL AS there';
const REMOVE = 'DELETE FROM service_permissions WHERE id = $1';

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

  async onApplicationBootstrap(): Promise<void> {
    await this.collections.currentMarks.reload();
    await this.database.retriedTransaction(async (tx) => {
      const changed: MarkedRule[] = [];
      await inTurns(await lockAllRules(tx), RULES_PER_TURN, async (rule) => {
        const marked = await this.marked(tx, rule);
        if (marked) changed.push(marked);
      });
      await storeMarks(tx, changed);
    });
  }

  /** @returns nothing where the rule is lost, which deletes it, or marked like this already */
  private async marked(tx: Tx, rule: StoredRule): Promise<MarkedRule | undefined> {
    const { registry, currentMarks } = this.collections;
    if (await this.isLost(tx, rule)) {
      this.logger.warn(
        `Rule ${rule.id} on ${rule.collection} names a table that no longer exists: the rule is deleted`,
      );
      await tx.query(REMOVE, [rule.id]);
      return undefined;
    }
    const asleep = 'asleep' in parseAwake(rule, registry, currentMarks);
    const marks = markRule(rule, rule, registry, currentMarks);
    const found = { id: rule.id, marks, asleep };
    if (isMarked(rule, found)) return undefined;
    if (asleep && !rule.asleep)
      this.logger.log(
        `Rule ${rule.id} on ${rule.collection} sleeps: it names a collection or field that is not registered, or was replaced by another`,
      );
    return found;
  }

  /** Rules from before marks existed, for a collection that is neither registered nor a table. */
  private async isLost(tx: Tx, { collection, marks }: StoredRule): Promise<boolean> {
    if (this.collections.registry.get(collection) || marks.names?.[collection]) return false;
    const [found] = await tx.query<{ there: boolean }>(IS_THERE, [collection]);
    return found?.there !== true;
  }
}
