import { FieldSelection } from './field-selection';
import type { RawQuery } from './query';

const PAGE_PARAMETERS = ['limit', 'offset', 'page'];
const MAX_NAMES = 2_000;
const NAMES = /^[A-Za-z]\w*(,[A-Za-z]\w*)*$/;

/** The names of what is shown, separated by commas, where nothing else is said of it; none: all that there is. */
export function plainFields({ fields }: RawQuery): string | undefined {
  if (fields === undefined) return '';
  if (fields instanceof FieldSelection) return fields.flat;
  if (typeof fields !== 'string' || fields.length > MAX_NAMES) return undefined;
  return NAMES.test(fields) ? fields : undefined;
}

/** Whether a list is asked for that says nothing but what to show, how many rows, and from which one on. */
export const isPlainList = (raw: RawQuery): boolean =>
  Object.keys(raw).every((name) => name === 'fields' || PAGE_PARAMETERS.includes(name));

/** Whether an item is asked for that says nothing but what to show. */
export const isPlainItem = (raw: RawQuery): boolean =>
  Object.keys(raw).every((name) => name === 'fields');
