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
    const known = this.collections.registry.get(rule.collection)?.fields;
    if (!known) return 'gone';
    const fields = rule.fields.filter((name) => name === '*' || known.has(name));
    if (partsOf(rule).some((part) => this.faultOf(part)?.kind === 'hidden')) return 'gone';
    if (fields.length === rule.fields.length) return 'as it was';
    // What is wrong with the rest may not be stored again, so that it cannot be kept without those fields.
    return this.faultOf({ ...rule, fields }) ? 'gone' : { fields };
  }

  private faultOf(rule: StoredRule): AccessFault | undefined {
    try {
      parseRule(rule, this.collections.registry);
      return undefined;
    } catch (error) {
      if (!(error instanceof AccessFault)) throw error;
      return error;
    }
  }
}

/** The rule once for each name in it: a mistake elsewhere, as an operator that no longer serves, must not hide one. */
function partsOf(rule: StoredRule): StoredRule[] {
  const bare = { ...rule, fields: [], permissions: null, validation: null, presets: null };
  return [
    ...branchesOf(rule.permissions).map((permissions) => ({ ...bare, permissions })),
    ...branchesOf(rule.validation).map((validation) => ({ ...bare, validation })),
    ...membersOf(rule.presets).map(([name, value]) => ({ ...bare, presets: { [name]: value } })),
  ];
}

/** Every way down a filter, as a filter of its own. */
function branchesOf(filter: unknown): unknown[] {
  if (Array.isArray(filter)) return filter.flatMap(branchesOf);
  return membersOf(filter).flatMap(([name, value]): unknown[] => {
    if (name === '_and' || name === '_or') return branchesOf(value);
    const below = Array.isArray(value) ? [] : branchesOf(value);
    return (below.length > 0 ? below : [value]).map((inner) => ({ [name]: inner }));
  });
}

const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
