import { functionInputs } from '../../engine';
import type { BoundQuery } from '../query/query';
import { compileCell, compileSelected, masked } from './compile-cell';
import { computedOutput } from './compile-computed';
import { withoutPullUp, keyIn, type TableScope } from './scope';

/**
 * Columns are named by position: PostgreSQL cuts names after 63 bytes, and response names may be longer.
 * @param index of the field in the query
 */
export const fieldName = (index: number): string => `f${index}`;
/** The column with the key of a relation's rows. @param index of the relation in the query */
export const linkName = (index: number): string => `l${index}`;

/** Each shown field, and the keys of the relations that are read next. */
export function compileOutput(query: BoundQuery, row: TableScope): string[] {
  const scope = withoutPullUp(row);
  const fields = query.fields.flatMap((selected, index) =>
    functionInputs(selected.field)
      ? []
      : [`${compileSelected(selected, scope)} AS ${fieldName(index)}`],
  );
  const links = query.relations.map(({ field }, index) => {
    const link =
      field.kind === 'to-one' ? compileCell(field, scope) : masked(scope, field.name, keyIn(scope));
    return `${link} AS ${linkName(index)}`;
  });
  return [...fields, ...computedOutput(query.fields, scope), ...links];
}
