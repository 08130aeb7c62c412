import { allowsAny, type Caller, type Decision, hasField, isStored } from '../../engine';
import type { About } from '../../common/schema';
import { type StoredCollection, columnOf } from '../registry/stored-collection';
import { cellIn, fromOf, grantIn, innerScope, keyIn, rowsIn, type TableScope } from './scope';
import { keyAsText } from './key-text';
import { and, or } from './statement';

/** How a field holds parts of another row: as a list of field names, or as an object of values by field. */
type Shown = 'names' | 'values';

/**
 * The condition under which a row that concerns another, such as an entry of the log, is visible to a caller: the other
 * row is in their virtual table, and has existed since. Collections of which they may read nothing add nothing.
 *
 * ```sql
 * CASE WHEN t0."collection" = $1::text AND t0."item" ~ '^-?[0-9]{1,18}$'
 *   THEN EXISTS (SELECT 1 FROM "articles" t1 WHERE t1."id" = t0."item"::int8 AND t1."status" = $2::text) ELSE FALSE END
 * ```
 */
export function aboutRows(scope: TableScope, about: About, caller: Caller): string {
  const seen = byTarget(scope, about, caller, (target, where) => {
    const source = fromOf(target);
    return `EXISTS (SELECT 1 FROM ${source} WHERE ${where})`;
  });
  const isSeen = seen.length > 0 ? `CASE ${seen.join(' ')} ELSE FALSE END` : 'FALSE';
  return and(isSeen, alive(scope, about));
}

/** A cell that holds parts of another row, reduced to the parts that the caller may read of it now. */
export function aboutCell(scope: TableScope, field: string, about: About, caller: Caller): string {
  const cell = cellIn(scope, field);
  const isJson = columnOf(scope.collection, field).type === 'json';
  const allowed = `(${allowedIn(scope, about, caller, isJson ? 'values' : 'names')})`;
  return isJson
    ? `(SELECT jsonb_object_agg(part.key, part.value) FROM jsonb_each(${cell}) part WHERE part.key = ANY${allowed})`
    : `ARRAY(SELECT part FROM unnest(${cell}) part WHERE part = ANY${allowed})`;
}

function allowedIn(scope: TableScope, about: About, caller: Caller, shown: Shown): string {
  const lists = byTarget(scope, about, caller, (target, where, decision) => {
    const names = grantedNames(target, decision, shown);
    return `(SELECT ${names} FROM ${fromOf(target)} WHERE ${where})`;
  });
  return lists.length === 0 ? `'{}'::text[]` : `CASE ${lists.join(' ')} END`;
}

/** One branch of a CASE for each collection that the caller may read; other collections are not queried. */
function byTarget(
  scope: TableScope,
  about: About,
  caller: Caller,
  compile: (target: TableScope, where: string, decision: Decision) => string,
): string[] {
  const { registry } = scope.view;
  const branches: string[] = [];
  for (const { name } of registry.all()) {
    const target = registry.table(name);
    const decision = caller.decide('read', name);
    if (!decision || !allowsAny(decision) || !isTarget(target, scope.collection)) continue;
    const inner = innerScope(scope, target, scope.position.select);
    const column = columnOf(target, target.key);
    const { guard, equal } = keyAsText(column, keyIn(inner), cellIn(scope, about.item));
    const is = `${cellIn(scope, about.collection)} = ${scope.statement.bind(name, 'text')}`;
    const then = compile(inner, and(equal, rowsIn(inner)), decision);
    branches.push(`WHEN ${and(is, guard)} THEN ${then}`);
  }
  return branches;
}

/** Only the log is about other rows, and no row is about the log, so the recursion ends here. */
const isTarget = ({ about }: StoredCollection, of: StoredCollection): boolean =>
  about === undefined || (of.about?.life !== undefined && about.life === undefined);

/**
 * The target must have existed since then: the entries before its creation concern an earlier row with the same key.
 */
function alive(scope: TableScope, { collection, item, life }: About): string {
  if (!life) return 'TRUE';
  const later = innerScope(scope, scope.collection, scope.position.select);
  const same = [collection, item].map((name) => `${cellIn(later, name)} = ${cellIn(scope, name)}`);
  const action = cellIn(later, life.action);
  // Written exactly as in the index.
  const ends = `${action} IN ('${life.begins}', '${life.ends}')`;
  const after = `${keyIn(later)} > ${keyIn(scope)}`;
  const isEnd = `${cellIn(scope, life.action)} = '${life.ends}'`;
  return `NOT ${or(isEnd, `EXISTS (SELECT 1 FROM ${fromOf(later)} WHERE ${and(...same, ends, after)})`)}`;
}

/** The fields that are granted on the target's row, as a list: the unconditional ones, and some under conditions. */
function grantedNames(target: TableScope, decision: Decision, shown: Shown): string {
  const groups = new Map<string, string[]>();
  for (const field of target.collection.fields.values()) {
    // Computed fields are not part of what was stored.
    if (shown === 'values' && !(isStored(field) && target.collection.columns.has(field.name)))
      continue;
    if (target.collection.computed?.has(field.name)) continue;
    const cases = decision.cases.flatMap(({ fields }, at) =>
      hasField(fields, field.name) ? at : [],
    );
    const names = groups.get(cases.join()) ?? [];
    names.push(field.name);
    groups.set(cases.join(), names);
  }
  const { statement } = target;
  const lists = [...groups.values()].flatMap((names) => {
    const grant = grantIn(target, names[0] ?? '');
    if (grant === false) return [];
    const list = statement.bind(names, 'text[]');
    return grant === true ? [list] : [`CASE WHEN ${grant} THEN ${list} ELSE '{}' END`];
  });
  return lists.length === 0 ? `'{}'::text[]` : lists.join(' || ');
}
