import type { BoundQuery } from '../query/query';
import { compileFilter } from './compile-filter';
import { compileSearch } from './compile-search';
import type { TableScope } from './scope';
import { and } from './statement';

/** The caller's own conditions on the rows that they can see. */
export const conditions = (query: BoundQuery, scope: TableScope): string =>
  and(compileFilter(query.filter, scope), compileSearch(query.search, scope));
