import { valuesAt } from '../../common/values-at';
import type { Key } from '../write-context';
import type { RowQuery } from '../query/query';
import type { Page, Row } from './row-reader';

/** A page of rows that were requested by key, in the order of the keys. */
export function inOrder(page: Page, keys: readonly Key[]): Page {
  const rows = new Map<string, Row>(
    page.rows.map((row, index) => [String(page.keys?.[index]), row]),
  );
  return {
    ...page,
    rows: valuesAt(rows, keys.map(String)),
  };
}

/** The written rows, in the order in which they were sent unless the query sets another. */
export function asSent(page: Page, { sort, limit, offset }: RowQuery, keys: readonly Key[]): Page {
  return sort.length > 0 || limit !== null || offset > 0 ? page : inOrder(page, keys);
}
