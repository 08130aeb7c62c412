import { isComparableField, isStored, parseValue, type StoredField } from '../../engine';
import { sqlTypeOf } from '../registry/stored-collection';
import { escapeLike, lowered } from './compile-leaf';
import { withoutPullUp, cellIn, grantIn, type TableScope } from './scope';
import { and, or } from './statement';

/**
 * A term found in the granted cells: within text, regardless of case; equal to an integer or a uuid if it is one.
 * Relations, JSON and concealed fields are not searched. `Ab`, of two texts:
 * ```sql
 * (lower(t0."title" COLLATE "und-x-icu") LIKE $1::text OR lower(t0."status" COLLATE "und-x-icu") LIKE $1::text)
 * ```
 */
export function compileSearch(term: string | null, scope: TableScope): string {
  if (term === null) return 'TRUE';
  const pattern = scope.statement.bind(`%${escapeLike(term.toLowerCase())}%`, 'text');
  const found = [...scope.collection.fields.values()]
    .filter(
      (field): field is StoredField =>
        isStored(field) && field.kind === 'column' && isComparableField(field),
    )
    .map((field) => searchField(field, term, pattern, withoutPullUp(scope)));
  return or(...found);
}

function searchField(field: StoredField, term: string, pattern: string, scope: TableScope): string {
  const condition = searchCondition(field, term, pattern, scope);
  if (condition === 'FALSE') return condition;
  const grant = grantIn(scope, field.name);
  if (grant === false) return 'FALSE';
  return grant === true ? condition : and(grant, condition);
}

function searchCondition(
  field: StoredField,
  term: string,
  pattern: string,
  scope: TableScope,
): string {
  const column = sqlTypeOf(scope.collection, field.name);
  const cell = cellIn(scope, field.name);
  switch (field.type) {
    case 'text':
      return `${lowered(cell)} LIKE ${pattern}`;
    case 'enum':
      // The column may be of an enum type of the database.
      return `${lowered(`${cell}::text`)} LIKE ${pattern}`;
    case 'integer':
    case 'bigint':
    case 'uuid': {
      const parsed = parseValue(field, term);
      return 'misfit' in parsed
        ? 'FALSE'
        : `${cell} = ${scope.statement.bind(parsed.value, column.cast)}`;
    }
    default:
      return 'FALSE';
  }
}
