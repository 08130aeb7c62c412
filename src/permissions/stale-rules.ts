import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AccessFault, Collections, Database, type Key, parseRule } from '../collections';
import { Forbidden } from '../common/errors';
import { readAllRules, type StoredRule } from './stored-rules';

/** What has become of a rule since it was written. */
type Fate = { readonly fields: readonly string[] } | 'gone' | 'as it was';

/**
 * Removes, at start, what speaks of collections and fields that are no longer there: a rule must not come back to life
 * when a name returns, maybe for something else.
 */
@Injectable()
export class StaleRules implements OnApplicationBootstrap {
  private readonly logger = new Logger(StaleRules.name);

  constructor(
    private readonly collections: Collections,
    private readonly database: Database,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const rule of await readAllRules(this.database)) {
      const fate = this.judge(rule);
      if (fate === 'as it was') continue;
      this.logger.warn(`Rule ${rule.id} on ${rule.collection} names what no longer exists`);
      await this.carryOut(rule.id, fate);
    }
  }

  private async carryOut(id: Key, fate: Exclude<Fate, 'as it was'>): Promise<void> {
    const rules = this.collections.repository('service_permissions');
    const who = this.collections.asSystem('rules of what no longer exists are removed');
    try {
      if (fate === 'gone') await rules.delete(who, { keys: [id] });
      else await rules.update(who, { keys: [id] }, fate, {});
    } catch (error) {
      // Another instance that starts at the same time was faster.
      if (!(error instanceof Forbidden)) throw error;
    }
  }

  private judge(rule: StoredRule): Fate {
    const { registry } = this.collections;
    const known = registry.get(rule.collection)?.fields;
    if (!known) return 'gone';
    const fields = rule.fields.filter((name) => name === '*' || known.has(name));
    try {
      parseRule({ ...rule, fields }, registry);
    } catch (error) {
      if (error instanceof AccessFault && error.kind === 'hidden') return 'gone';
      if (!(error instanceof AccessFault)) throw error;
    }
    return fields.length === rule.fields.length ? 'as it was' : { fields };
  }
}
