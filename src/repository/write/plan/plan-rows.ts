import { covers, mergePresets } from '../../../engine';
import { Forbidden } from '../../../common/errors';
import { inTurns } from '../../../common/next-turn';
import type { Key } from '../../write-context';
import { aboutItem, positionIn } from '../about-item';
import { charactersOf } from '../character-budget';
import type { CollectionPlanning } from '../collection-write';
import { type Matching, raiseLock } from '../lock/lock-rows';
import { filledValues, refuseUnfit } from './filled-values';
import { type HookedPayload, hookPayload, type Sent } from './hooked-payload';
import { hiddenOwner, withoutParent } from './membership';
import { type Membership, NO_FIELDS, NO_VALUES, type PlannedRow, ROWS_PER_TURN } from './plan';
import { planRelations } from './plan-relations';
import { type ReadVersion, refuseStale } from './stale-rows';

/** What the list that rows belong to sets in them. */
export interface ListContext {
  readonly linked: readonly string[];
  readonly membership?: Membership | undefined;
  /** As in `PlannedRow`. */
  readonly hidden: readonly string[];
}

export const NO_LIST: ListContext = { linked: NO_FIELDS, hidden: NO_FIELDS };

export const listContextOf = async (
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

/** Plans the rows of every item that was sent, each with its relations. */
export async function planRows(
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
