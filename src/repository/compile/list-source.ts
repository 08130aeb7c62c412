import type { ToManyShape } from '../../engine';
import { cellIn, fromOf, grantIn, innerScope, keyIn, rowsIn, type TableScope } from './scope';
import type { StatementPosition } from './statement-position';
import { and } from './statement';

/** The rows of a list; select from them only after everything about them is compiled. */
interface ListSource {
  readonly from: () => string;
  readonly where: string;
  /** The scope of the list's own rows. */
  readonly inner: TableScope;
  /** The scope of the junction's rows, for a list through one. */
  readonly junction?: TableScope;
}

/**
 * The rows of a list: those of the target whose foreign key, as the reader sees it, is the parent's key; for a list
 * through a junction, those that one of its rows leads to, if the reader sees that row as well. `{notes: {_some: {text: {_eq: 'x'}}}}` selects from it:
 * `EXISTS (SELECT 1 FROM "notes" t1 WHERE (t1."article" = t0."id" AND t1."text" = $1::text))`.
 * @param position of the list's conditions
 * @param parentKey the parent's key as SQL; by default the scope's own row
 */
export function listOf(
  field: ToManyShape,
  scope: TableScope,
  position: StatementPosition,
  parentKey = keyIn(scope),
): ListSource {
  const { registry } = scope.view;
  const inner = innerScope(scope, registry.table(field.target), position);
  const visible = rowsIn(inner);
  if (!field.through) {
    const joined = seenKey(inner, field.foreignKey ?? '', parentKey);
    return { from: () => fromOf(inner), where: and(joined, visible), inner };
  }
  const { collection, foreignKey, targetForeignKey } = field.through;
  const junction = innerScope(scope, registry.table(collection), position);
  const linked = and(
    seenKey(junction, foreignKey, parentKey),
    seenKey(junction, targetForeignKey, keyIn(inner)),
  );
  return {
    from: () => `${fromOf(junction)} CROSS JOIN ${fromOf(inner)}`,
    where: and(linked, rowsIn(junction), visible),
    inner,
    junction,
  };
}

/** The size of a list as SQL: it counts the rows that the reader can see. */
export function countOf(field: ToManyShape, scope: TableScope): string {
  const list = listOf(field, scope, scope.position.select);
  return `(SELECT count(*) FROM ${list.from()} WHERE ${list.where})::int4`;
}

/** A foreign key, as the reader sees it, equals another row's key. */
function seenKey(scope: TableScope, field: string, key: string): string {
  const grant = grantIn(scope, field);
  if (grant === false) return 'FALSE';
  const equal = `${cellIn(scope, field)} = ${key}`;
  return grant === true ? equal : and(equal, grant);
}
