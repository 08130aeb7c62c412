import { type Action, allowsAny, covers, isNamed, mergePresets } from '../../../engine';
import { Forbidden, InvalidPayload } from '../../../common/errors';
import { inTurns } from '../../../common/next-turn';
import type { Key } from '../../write-context';
import { maxNewKeyOf } from '../store/generated-keys';
import { aboutItem, positionIn } from '../about-item';
import { requireComment } from '../judge/require-comment';
import { charactersOf } from '../character-budget';
import { Claims } from './claims';
import { filledValues, refuseUnfit } from './filled-values';
import { type HookedPayload, hookPayload, type Sent } from './hooked-payload';
import { lockMatching, type Matching, raiseLock } from '../lock/lock-rows';
import { fieldsSent } from '../lock/lock-strength';
import { hiddenOwner, withoutParent } from './membership';
import { MAX_NESTED, type NestedItems } from './nested-items';
import { refuseUnwritable } from './payload';
import {
  ROWS_PER_TURN,
  type DeletePlan,
  type Membership,
  NO_FIELDS,
  NO_VALUES,
  type PlannedRow,
  type RowsPlan,
  type Update,
} from './plan';
import { planRelations } from './plan-relations';
import { RowsBefore } from '../rows-before';
import { namesUnseen } from './seen-rows';
import { type ReadVersion, refuseStale } from './stale-rows';
import { lockedLater, type LockedLater } from './locked-later';
import {
  type CollectionPlanning,
  type RelatedPlanner,
  collectionWrite,
  type WriteRequest,
} from '../collection-write';

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

/** What the list that rows belong to sets in them. */
interface ListContext {
  readonly linked: readonly string[];
  readonly membership?: Membership | undefined;
  /** As in `PlannedRow`. */
  readonly hidden: readonly string[];
}

const NO_LIST: ListContext = { linked: NO_FIELDS, hidden: NO_FIELDS };

const listContextOf = async (
  scope: CollectionPlanning,
  linked: readonly string[],
  membership: Membership | undefined,
): Promise<ListContext> =>
  membership
    ? { linked, membership, hidden: await hiddenOwner(scope, linked, membership) }
    : { ...NO_LIST, linked };

function withListContext(
  row: HookedPayload,
  { linked, membership, hidden }: ListContext,
  scope: CollectionPlanning,
): HookedPayload {
  const fields = [...row.fields, ...linked];
  const checked = membership ? withoutParent(row.checked, membership, scope) : row.checked;
  return { ...row, fields, hidden, checked };
}

async function planRows(
  scope: CollectionPlanning,
  all: readonly Sent[],
  list: ListContext,
  matching?: Matching,
): Promise<PlannedRow[]> {
  const planned: PlannedRow[] = [];
  const read: ReadVersion[] = [];
  const planEach = async (each: Sent, item: number | undefined): Promise<void> => {
    const result = await hookPayload(scope, each);
    const hooked =
      list.membership || list.linked.length > 0 ? withListContext(result, list, scope) : result;
    const { version, relations } = hooked.checked;
    if (matching && scope.hooks.beforeUpdate) await raiseFor(scope, each.keys, matching, hooked);
    const add = (row: PlannedRow): void => {
      planned.push(item === undefined ? row : { ...row, item });
      const { key } = row;
      if (version !== undefined && key !== undefined) read.push({ key, version });
    };
    const planning = inTurns(each.keys, ROWS_PER_TURN, (key) => {
      const row = planRow(scope, key, hooked, matching);
      if (relations.size === 0) return add(row);
      const own = key ?? hooked.checked.values.get(scope.collection.key);
      return planRelations(scope, relations, key, own).then((related) =>
        add({ ...row, ...related }),
      );
    });
    if (planning) await planning;
  };
  await inTurns(all, ROWS_PER_TURN, (each, index) => {
    const item = scope.isRequested ? positionIn(all, index) : undefined;
    return aboutItem(item, () => planEach(each, item));
  });
  await refuseStale(scope, read);
  return planned;
}

function raiseFor(
  scope: CollectionPlanning,
  all: Sent['keys'],
  matching: Matching,
  { checked, set }: HookedPayload,
): Promise<void> {
  const keys = all.filter((key) => key !== undefined);
  const fields = [...checked.values.keys(), ...checked.relations.keys(), ...set.keys()];
  return raiseLock(scope, keys, matching, fields);
}

/**
 * A row without its relations.
 * @throws Forbidden where the stored row meets no case that grants one of the fields
 */
function planRow(
  scope: CollectionPlanning,
  key: Key | undefined,
  { checked, fields, hidden, set, defaults }: HookedPayload,
  matching: Matching | undefined,
): PlannedRow {
  const cases = matching ? (matching.cases.get(String(key)) ?? []) : scope.decision.cases;
  if (matching && !covers(cases, fields)) throw new Forbidden({});
  const stored = matching?.rows.get(String(key));
  refuseUnfit(scope, { fields, cases }, stored);
  const presets = mergePresets(cases);
  for (const each of [checked.values, presets, set, defaults])
    scope.storedBudget.take(charactersOf(each));
  const setsAnything = checked.version !== undefined || fields.length + set.size + presets.size > 0;
  const filled = !stored || setsAnything ? filledValues(scope, stored) : NO_VALUES;
  const { values } = checked;
  return { key, cases, values, fields, hidden, set, defaults, filled, parents: [], lists: [] };
}
