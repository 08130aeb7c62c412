import {
  type CollectionHooks,
  CollectionRegistry,
  faultOf,
  type Key,
  leavesSleeping,
  type LookUp,
  markRule,
  parseAwake,
  type Payload,
  RULES_PER_TURN,
  type WriteContext,
} from '../repository';
import { HooksOf, Collections } from '../collections';
import type { Queries } from '../database';
import { InvalidPayload } from '../common/errors';
import { inTurns } from '../common/next-turn';
import { valuesAt } from '../common/values-at';
import { readFlags } from './flag-body';
import { resolveRole } from './own-policy';
import { normalise } from './permission-payload';
import { Permission } from './permission.entity';
import { textOfFault } from './rule-fault';
import {
  isMarked,
  type MarkedRule,
  readStoredRules,
  type StoredRule,
  storeMarks,
} from './stored-rules';

/** Checks a rule against the collections that exist before it is stored, so that no stored rule is without effect. */
@HooksOf(Permission)
export class PermissionHooks implements CollectionHooks {
  /** The rules that a request updates, as they were before. */
  private readonly before = new WeakMap<Queries, Map<number, StoredRule>>();

  constructor(
    private readonly registry: CollectionRegistry,
    private readonly collections: Collections,
  ) {}

  async beforeCreate(payload: Payload, context: WriteContext): Promise<Payload> {
    if (namesAsleep(payload, context)) throw new InvalidPayload(READ_ONLY);
    return resolveRole(normalise(readFlags(payload, undefined, this.fieldsOf)), context);
  }

  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    context: WriteContext,
  ): Promise<Payload> {
    const rules = valuesAt(await context.once(storedRules), keys);
    this.keepBefore(rules, context.tx);
    const flags = readFlags(
      namesAsleep(payload, context) ? withoutAsleep(payload, rules) : payload,
      rules,
      this.fieldsOf,
    );
    return resolveRole(normalise(flags), context);
  }

  afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
    return this.check(keys, context);
  }

  afterUpdate(keys: readonly Key[], context: WriteContext): Promise<void> {
    return this.check(keys, context);
  }

  private keepBefore(rules: readonly StoredRule[], tx: Queries): void {
    const before = this.before.get(tx) ?? new Map<number, StoredRule>();
    this.before.set(tx, before);
    for (const rule of rules) before.set(rule.id, rule);
  }

  private readonly fieldsOf = (collection: unknown): readonly string[] =>
    typeof collection === 'string' ? [...(this.registry.get(collection)?.fields.keys() ?? [])] : [];

  /** Checks the rules as they are stored, so that the parts that an update leaves unchanged still fit the new ones. */
  private async check(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    const { registry } = this;
    const { currentMarks } = this.collections;
    const marked: MarkedRule[] = [];
    await inTurns(await readStoredRules(tx, keys), RULES_PER_TURN, async (rule) => {
      const old = this.before.get(tx)?.get(rule.id);
      const fault = faultOf(rule, registry);
      if (fault && !(old && leavesSleeping(rule, old, registry))) {
        throw new InvalidPayload({ field: fault.path.join('.'), reason: textOfFault(fault) });
      }
      // Its table was created after the start.
      if (!fault && currentMarks.of(rule.collection) === undefined) await currentMarks.reload(tx);
      const marks = markRule(rule, old, registry, currentMarks);
      const asleep = 'asleep' in parseAwake({ ...rule, marks }, registry, currentMarks);
      const found = { id: rule.id, marks, asleep };
      if (!isMarked(rule, found)) marked.push(found);
    });
    await storeMarks(tx, marked);
  }
}

const storedRules: LookUp<ReadonlyMap<Key, StoredRule>> = async (keys, { tx }) =>
  new Map((await readStoredRules(tx, keys)).map((rule) => [rule.id, rule]));

const READ_ONLY = { field: 'asleep', reason: 'is read-only' };

/** Whether it is sent by someone who may read it: from all others it is refused like a missing field. */
const namesAsleep = (payload: Payload, { caller }: WriteContext): boolean =>
  Object.hasOwn(payload, 'asleep') &&
  caller.readable.field('service_permissions', 'asleep') !== undefined;

/** A rule may be sent back as it was read: this field is then ignored. */
function withoutAsleep(payload: Payload, rules: readonly StoredRule[]): Payload {
  const { asleep, ...rest } = payload;
  if (rules.some((rule) => rule.asleep !== asleep)) throw new InvalidPayload(READ_ONLY);
  return rest;
}
