import { FieldSelection } from './field-selection';
import type { RawQuery } from './query';

const PAGE_PARAMETERS = ['limit', 'offset', 'page'];
const MAX_NAMES = 2_000;
const NAMES = /^[A-Za-z]\w*(,[A-Za-z]\w*)*$/;

/**
 * The names of the shown fields, separated by commas, where the query says nothing else about them; empty: all fields.
 */
export function plainFields({ fields }: RawQuery): string | undefined {
  if (fields === undefined) return '';
  if (fields instanceof FieldSelection) return fields.flat;
  if (typeof fields !== 'string' || fields.length > MAX_NAMES) return undefined;
  return NAMES.test(fields) ? fields : undefined;
}

/** Whether a list query contains nothing but fields, limit and offset. */
export const isPlainList = (raw: RawQuery): boolean =>
  Object.keys(raw).every((name) => name === 'fields' || PAGE_PARAMETERS.includes(name));

/** Whether an item query contains nothing but fields. */
export const isPlainItem = (raw: RawQuery): boolean =>
  Object.keys(raw).every((name) => name === 'fields');

const SHAPE_PARAMETERS = [...PAGE_PARAMETERS, 'meta'];

/** Whether a query names nothing of the collection. */
export const isSilent = (raw: RawQuery): boolean =>
  Object.keys(raw).every((name) => SHAPE_PARAMETERS.includes(name));
