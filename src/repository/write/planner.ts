import { type Action, allowsAny, isNamed } from '../../engine';
import { Forbidden, InvalidPayload } from '../../common/errors';
import { inTurns } from '../../common/next-turn';
import type { Key, Payload } from '../hooks';
import { furthestKey } from './made-keys';
import { covers, demandComment } from './demand-comment';
import { lockMatching, type MatchingCases } from './lock-rows';
import { asPayload, type CheckedPayload, checkPayload, fieldsOf, withoutKey } from './payload';
import { AT_ONCE, type DeletePlan, type PlannedRow, type RowsPlan, type Update } from './plan';
import { planRelations } from './plan-relations';
import { namesUnseen } from './seen-rows';
import { MAX_ITEMS } from './selected-rows';
import {
  type CollectionPlanning,
  type RelatedPlanner,
  collectionWrite,
  type WriteRequest,
} from './collection-write';

const MAX_NESTED = 5;

/** Items nested in others, of all that one transaction is sent. */
export interface NestedItems {
  count: number;
}

/** One row that is sent for, or several that get the same; undefined is the key of a new one. */
interface Sent {
  readonly keys: readonly (Key | undefined)[];
  readonly payload: unknown;
  readonly prepared?: boolean;
}

/**
 * Makes plans, level by level: the rows are matched with rules and locked, hooks see what was sent, it is checked, then what
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
    assertMay(scope, linked);
    const sent = payloads.map((payload) => ({ keys: [undefined], payload }));
    const rows = await planRows(scope, sent, linked);
    const plan = await planOf(scope, 'create', rows);
    return { ...plan, furthest: await furthestKey(scope, rows) };
  }

  /** Plans updates, all or none: the rows are matched with rules and locked before anything is written. */
  async update(
    name: string,
    updates: readonly Update[],
    linked: readonly string[] = [],
  ): Promise<RowsPlan> {
    const scope = this.open(name, 'update', updates.length);
    assertMay(scope, linked);
    const keys = updates.flatMap((update) => update.keys);
    this.claim(scope, keys);
    const met = await lockMatching(scope, keys);
    return planOf(scope, 'update', await planRows(scope, updates, linked, met));
  }

  /** Plans deletes, all or none. What the schema cascades to needs no further right. */
  async delete(name: string, keys: readonly Key[]): Promise<DeletePlan> {
    const scope = this.open(name, 'delete');
    assertMay(scope, []);
    this.claim(scope, keys);
    const met = await lockMatching(scope, keys);
    for (const cases of met.values()) demandComment(scope.caller, cases, []);
    return { action: 'delete', collection: scope.collection, decision: scope.decision, keys };
  }

  private open(name: string, action: Action, items = 0): CollectionPlanning {
    const { request, nested, claimed, depth } = this;
    if (depth > 0) countNested(nested, items);
    const decision = request.caller.decide(name, action);
    const collection = request.registry.get(name);
    if (!decision || !collection) throw new Forbidden({});
    if (depth > MAX_NESTED) {
      throw new InvalidPayload({ reason: `the body nests more than ${MAX_NESTED} related items` });
    }
    return {
      ...collectionWrite(request, { collection, decision }),
      related: new Planner(request, nested, claimed, depth + 1),
    };
  }

  /** @throws InvalidPayload where the request writes one of the rows already */
  private claim({ collection }: CollectionPlanning, keys: readonly Key[]): void {
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
  if (nested.count <= MAX_ITEMS) return;
  throw new InvalidPayload({ reason: `the body must hold at most ${MAX_ITEMS} related items` });
}

/** @throws Forbidden where nothing may be written, or a foreign key is to be set that no rule of the caller's names */
function assertMay({ decision }: CollectionPlanning, linked: readonly string[]): void {
  if (!allowsAny(decision)) throw new Forbidden({});
  if (!linked.every((field) => isNamed(decision, field))) throw new Forbidden({});
}

async function planOf(
  scope: CollectionPlanning,
  action: RowsPlan['action'],
  rows: readonly PlannedRow[],
): Promise<RowsPlan> {
  const { collection, decision } = scope;
  const unseen = await namesUnseen(scope, rows);
  return { action, collection, decision, rows, unseen, furthest: Infinity };
}

async function planRows(
  scope: CollectionPlanning,
  all: readonly Sent[],
  linked: readonly string[],
  met?: MatchingCases,
): Promise<PlannedRow[]> {
  const planned: PlannedRow[] = [];
  await inTurns(all, AT_ONCE, async (each) => {
    const { keys } = each;
    const payload = await hookedPayload(scope, each);
    const checked = checkPayload(payload, scope.collection, scope.decision);
    const fields = [...fieldsOf(checked), ...linked];
    await inTurns(keys, AT_ONCE, async (key) => {
      planned.push(await planRow(scope, key, { checked, fields }, met));
    });
  });
  return planned;
}

/** The payload as the collection's hooks leave it. */
async function hookedPayload(
  scope: CollectionPlanning,
  { keys: all, payload: raw, prepared = false }: Sent,
): Promise<Payload> {
  const { hooks, decision, collection } = scope;
  const sent = asPayload(raw, collection, decision);
  if (decision.action === 'create') return (await hooks.beforeCreate?.(sent, scope)) ?? sent;
  const keys = all.filter((key) => key !== undefined);
  const context = { ...scope, prepared };
  const payload = (await hooks.beforeUpdate?.(sent, keys, context)) ?? sent;
  return withoutKey(payload, keys, collection.key);
}

/** @throws Forbidden where the stored row meets no case that grants one of the fields */
async function planRow(
  scope: CollectionPlanning,
  key: Key | undefined,
  { checked, fields }: { readonly checked: CheckedPayload; readonly fields: readonly string[] },
  met: MatchingCases | undefined,
): Promise<PlannedRow> {
  const cases = met ? (met.get(String(key)) ?? []) : scope.decision.cases;
  if (met && !covers(cases, fields)) throw new Forbidden({});
  const relations = await planRelations(scope, checked.relations, key);
  return { key, cases, values: checked.values, fields, ...relations };
}
