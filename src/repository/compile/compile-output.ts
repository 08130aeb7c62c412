import { functionInputs } from '../../engine';
import type { BoundQuery } from '../query/query';
import { quote } from '../registry/column';
import { compileCell, compileSelected, masked } from './compile-cell';
import { computedOutput } from './compile-computed';
import { apart, keyIn, type TableScope } from './scope';

/** The column that holds the key of the relation's rows: a name that no field can have. */
export const relationKeyName = (relation: string): string => `$link ${relation}`;

/** Each field under the name it is shown by, and the keys of the relations that are read next. */
export function compileOutput(query: BoundQuery, row: TableScope): string[] {
  const scope = apart(row);
  const fields = query.fields.flatMap((selected) =>
    functionInputs(selected.field)
      ? []
      : [`${compileSelected(selected, scope)} AS ${quote(selected.as)}`],
  );
  const links = query.relations.flatMap(({ as, field }) =>
    field.kind === 'to-one'
      ? [`${compileCell(field, scope)} AS ${quote(relationKeyName(as))}`]
      : [],
  );
  const lists = query.relations.flatMap(({ as, field }) =>
    field.kind === 'to-many'
      ? [`${masked(scope, field.name, keyIn(scope))} AS ${quote(relationKeyName(as))}`]
      : [],
  );
  return [...fields, ...computedOutput(query.fields, scope), ...links, ...lists];
}
