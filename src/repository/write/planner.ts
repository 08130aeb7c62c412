import { type Action, allowsAny, isNamed } from '../../engine';
import { Forbidden, InvalidPayload } from '../../common/errors';
import { inTurns } from '../../common/next-turn';
import type { Key, Payload } from '../hooks';
import { furthestKey } from './made-keys';
import { covers } from './judge';
import { lockMet, type MetCases } from './lock-rows';
import { asPayload, type CheckedPayload, checkPayload, fieldsOf, withoutKey } from './payload';
import { AT_ONCE, type DeletePlan, type PlannedRow, type RowsPlan, type Update } from './plan';
import { planRelations } from './plan-relations';
import { namesUnseen } from './seen-rows';
import { MOST_ITEMS } from './selected-rows';
import { type PlanScope, type RelatedPlanner, scopeOf, type WriteRequest } from './write-scope';

const MOST_NESTED = 5;

/** Items nested in others, of all that one transaction is sent. */
export interface NestedItems {
  count: number;
}

/** One row that is sent for, or several that get the same; undefined is the key of a new one. */
interface Sent {
  readonly keys: readonly (Key | undefined)[];
  readonly payload: unknown;
}

/**
 * Makes plans, level by level: the rows are met by rules and locked, hooks see what was sent, it is checked, then what
 * it says of related rows is planned in the same way. So a hook sees only rows that the caller may write.
 */
export class Planner implements RelatedPlanner {
  /** @param claimed the rows that the request writes already, as `collection key` */
  constructor(
    private readonly request: WriteRequest,
    private readonly nested: NestedItems,
    private readonly claimed = new Set<string>(),
    private readonly depth = 0,
  ) {}

  /** Plans inserts, all or none. An id in a payload is that of the new row. */
  async create(
    name: string,
    payloads: readonly unknown[],
    linked: readonly string[] = [],
  ): Promise<RowsPlan> {
    const scope = this.open(name, 'create', payloads.length);
    demand(scope, linked);
    const sent = payloads.map((payload) => ({ keys: [undefined], payload }));
    const rows = await planRows(scope, sent, linked);
    const plan = await planOf(scope, 'create', rows);
    return { ...plan, furthest: await furthestKey(scope, rows) };
  }

  /** Plans updates, all or none: the rows are met by rules and locked before anything is written. */
  async update(
    name: string,
    updates: readonly Update[],
    linked: readonly string[] = [],
  ): Promise<RowsPlan> {
    const scope = this.open(name, 'update', updates.length);
    demand(scope, linked);
    const keys = updates.flatMap((update) => update.keys);
    this.claim(scope, keys);
    const met = await lockMet(scope, keys);
    return planOf(scope, 'update', await planRows(scope, updates, linked, met));
  }

  /** Plans deletes, all or none. What the schema cascades to needs no further right. */
  async delete(name: string, keys: readonly Key[]): Promise<DeletePlan> {
    const scope = this.open(name, 'delete');
    demand(scope, []);
    this.claim(scope, keys);
    await lockMet(scope, keys);
    return { action: 'delete', collection: scope.collection, decision: scope.decision, keys };
  }

  private open(name: string, action: Action, items = 0): PlanScope {
    const { request, nested, claimed, depth } = this;
    if (depth > 0) countNested(nested, items);
    const decision = request.who.decide(name, action);
    const collection = request.registry.get(name);
    if (!decision || !collection) throw new Forbidden({});
    if (depth > MOST_NESTED) {
      throw new InvalidPayload({ reason: `the body nests more than ${MOST_NESTED} related items` });
    }
    return {
      ...scopeOf(request, { collection, decision }),
      related: new Planner(request, nested, claimed, depth + 1),
    };
  }

  /** @throws InvalidPayload where the request writes one of the rows already */
  private claim({ collection }: PlanScope, keys: readonly Key[]): void {
    for (const key of keys) {
      const row = `${collection.name} ${key}`;
      if (this.claimed.has(row)) {
        throw new InvalidPayload({ field: collection.key, reason: 'names the same item twice' });
      }
      this.claimed.add(row);
    }
  }
}

function countNested(nested: NestedItems, items: number): void {
  nested.count += items;
  if (nested.count <= MOST_ITEMS) return;
  throw new InvalidPayload({ reason: `the body must hold at most ${MOST_ITEMS} related items` });
}

/** @throws Forbidden where nothing may be written, or a foreign key is to be set that no rule of the caller's names */
function demand({ decision }: PlanScope, linked: readonly string[]): void {
  if (!allowsAny(decision)) throw new Forbidden({});
  if (!linked.every((field) => isNamed(decision, field))) throw new Forbidden({});
}

async function planOf(
  scope: PlanScope,
  action: RowsPlan['action'],
  rows: readonly PlannedRow[],
): Promise<RowsPlan> {
  const { collection, decision } = scope;
  const unseen = await namesUnseen(scope, rows);
  return { action, collection, decision, rows, unseen, furthest: Infinity };
}

async function planRows(
  scope: PlanScope,
  all: readonly Sent[],
  linked: readonly string[],
  met?: MetCases,
): Promise<PlannedRow[]> {
  const planned: PlannedRow[] = [];
  await inTurns(all, AT_ONCE, async ({ keys, payload }) => {
    const sent = asPayload(payload, scope.collection, scope.decision);
    const checked = checkPayload(
      await prepared(scope, sent, keys),
      scope.collection,
      scope.decision,
    );
    const fields = [...fieldsOf(checked), ...linked];
    await inTurns(keys, AT_ONCE, async (key) => {
      planned.push(await planRow(scope, key, { checked, fields }, met));
    });
  });
  return planned;
}

/** The payload as the collection's hooks leave it. */
async function prepared(
  scope: PlanScope,
  sent: Payload,
  all: readonly (Key | undefined)[],
): Promise<Payload> {
  const { hooks, decision, collection } = scope;
  if (decision.action === 'create') return (await hooks.beforeCreate?.(sent, scope)) ?? sent;
  const keys = all.filter((key) => key !== undefined);
  const payload = (await hooks.beforeUpdate?.(sent, keys, scope)) ?? sent;
  return withoutKey(payload, keys, collection.key);
}

/** @throws Forbidden where the stored row meets no case that grants one of the fields */
async function planRow(
  scope: PlanScope,
  key: Key | undefined,
  { checked, fields }: { readonly checked: CheckedPayload; readonly fields: readonly string[] },
  met: MetCases | undefined,
): Promise<PlannedRow> {
  const cases = met ? (met.get(String(key)) ?? []) : scope.decision.cases;
  if (met && !covers(cases, fields)) throw new Forbidden({});
  const relations = await planRelations(scope, checked.relations, key);
  return { key, cases, values: checked.values, fields, ...relations };
}
