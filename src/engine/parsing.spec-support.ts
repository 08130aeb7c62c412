import {
  type ColumnType,
  openLookup,
  parseFilter,
  parseValue,
  parseVariable,
  type Variable,
} from './index';
import { inQuery, schema } from './sample.spec-support';

/** Parses a filter on `things` when it is called. */
export const parsing =
  (filter: unknown, setting = inQuery) =>
  (): unknown =>
    parseFilter(filter, 'things', setting);

export const readVariable = (text: string): Variable =>
  parseVariable(text, openLookup(schema), ['at']);

/** The value as a column of the type takes it, or `misfit: …`. */
export const reading = (column: ColumnType, raw: unknown): unknown => {
  const parsed = parseValue(column, raw);
  return 'misfit' in parsed ? `misfit: ${parsed.misfit}` : parsed.value;
};
