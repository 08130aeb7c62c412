import { type Action, allowsAny, isNamed } from '../../../engine';
import { Forbidden, InvalidPayload } from '../../../common/errors';
import type { Key } from '../../write-context';
import {
  type CollectionPlanning,
  type RelatedPlanner,
  collectionWrite,
  type WriteRequest,
} from '../collection-write';
import { requireComment } from '../judge/require-comment';
import { lockMatching } from '../lock/lock-rows';
import { fieldsSent } from '../lock/lock-strength';
import { RowsBefore } from '../rows-before';
import { maxNewKeyOf } from '../store/generated-keys';
import { Claims } from './claims';
import { lockedLater, type LockedLater } from './locked-later';
import { MAX_NESTED, type NestedItems } from './nested-items';
import { refuseUnwritable } from './payload';
import type { DeletePlan, Membership, PlannedRow, RowsPlan, Update } from './plan';
import { listContextOf, NO_LIST, planRows } from './plan-rows';
import { namesUnseen } from './seen-rows';

/**
 * Makes plans, level by level: rows are matched with rules and locked, hooks run, the payload is checked, then related
 * rows are planned in the same way. So a hook sees only rows that the caller may write.
 */
export class Planner implements RelatedPlanner {
  constructor(
    private readonly request: WriteRequest,
    private readonly nested: NestedItems,
    private readonly claims = new Claims(),
    private readonly depth = 0,
  ) {}

  /** Plans inserts, all or none. An id in a payload is that of the new row. */
  async create(
    name: string,
    payloads: readonly unknown[],
    linked: readonly string[] = [],
    membership?: Membership,
  ): Promise<RowsPlan> {
    const scope = this.open(name, 'create', []);
    assertMayWrite(scope, linked);
    const sent = payloads.map((payload) => ({ keys: [undefined], payload }));
    const list = await listContextOf(scope, linked, membership);
    const rows = await planRows(scope, sent, list);
    const plan = await planOf(scope, 'create', rows);
    return { ...plan, maxNewKey: await maxNewKeyOf(scope, rows) };
  }

  /** Plans updates, all or none: the rows are matched with rules and locked before anything is written. */
  async update(
    name: string,
    updates: readonly Update[],
    linked: readonly string[] = [],
    membership?: Membership,
  ): Promise<RowsPlan> {
    const keys = updates.flatMap((update) => update.keys);
    const scope = this.open(name, 'update', keys);
    assertMayWrite(scope, linked);
    this.claims.write(scope.collection, keys);
    for (const foreignKey of linked) this.claims.join(scope.collection, keys, foreignKey);
    const later = this.depth === 0 ? lockedLater(scope, updates) : undefined;
    if (later) return planUnlocked(scope, updates, later);
    const fields = [...fieldsSent(updates.map(({ payload }) => payload)), ...linked];
    const matching = await lockMatching(scope, keys, fields);
    const list = await listContextOf(scope, linked, membership);
    return planOf(scope, 'update', await planRows(scope, updates, list, matching));
  }

  /** Plans deletes, all or none. Cascades of the schema need no further right. */
  async delete(name: string, keys: readonly Key[]): Promise<DeletePlan> {
    const scope = this.open(name, 'delete', keys);
    assertMayWrite(scope, []);
    this.claims.write(scope.collection, keys);
    const matching = await lockMatching(scope, keys, []);
    for (const cases of matching.cases.values()) requireComment(scope.caller, cases, []);
    const { collection, decision, before } = scope;
    return { action: 'delete', collection, decision, before, keys };
  }

  keep(name: string, keys: readonly Key[], foreignKey: string): void {
    this.claims.keep(this.request.registry.table(name), keys, foreignKey);
  }

  private open(name: string, action: Action, keys: readonly Key[]): CollectionPlanning {
    const { request, nested, claims, depth } = this;
    const decision = request.caller.decide(action, name);
    const collection = request.registry.get(name);
    if (!decision || !collection || collection.view) throw new Forbidden({});
    if (depth > MAX_NESTED) {
      throw new InvalidPayload({
        reason: `related items are nested more than ${MAX_NESTED} levels deep`,
      });
    }
    const before = new RowsBefore(request, collection, keys);
    return {
      ...collectionWrite(request, { collection, decision, before }),
      nested,
      isRequested: depth === 0 && !request.byHook,
      related: new Planner(request, nested, claims, depth + 1),
    };
  }
}

/**
 * @throws Forbidden where nothing may be written, or where no rule of the caller's names a foreign key that is to be
 * set
 */
function assertMayWrite(
  { decision, collection }: CollectionPlanning,
  linked: readonly string[],
): void {
  if (!allowsAny(decision)) throw new Forbidden({});
  if (!linked.every((field) => isNamed(decision, field))) throw new Forbidden({});
  refuseUnwritable(collection, linked);
}

async function planOf(
  scope: CollectionPlanning,
  action: RowsPlan['action'],
  rows: readonly PlannedRow[],
): Promise<RowsPlan> {
  const { collection, decision, before } = scope;
  const unseen = await namesUnseen(scope, rows);
  return { action, collection, decision, before, rows, unseen, maxNewKey: Infinity };
}

/**
 * Plans an update of a row that is locked only by the update itself. Other errors are reported only where the row may
 * be updated at all.
 */
async function planUnlocked(
  scope: CollectionPlanning,
  updates: readonly Update[],
  { matching, condition }: LockedLater,
): Promise<RowsPlan> {
  try {
    const plan = await planOf(scope, 'update', await planRows(scope, updates, NO_LIST, matching));
    return { ...plan, condition };
  } catch (error) {
    await lockMatching(
      scope,
      updates.flatMap(({ keys }) => keys),
      [],
    );
    throw error;
  }
}
