import type { ColumnType } from '../schema/parse-value';
import type { Subject } from './filter';

/** What the subject is compared as: a function gives an integer, a column its own type. */
export function subjectType(subject: Subject): ColumnType {
  if (subject.fn !== null || subject.field.kind === 'to-many') return FUNCTION_RESULT;
  return subject.field;
}

const FUNCTION_RESULT: ColumnType = {
  type: 'integer',
  range: { min: -2147483648n, max: 2147483647n },
};
