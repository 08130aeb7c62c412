import { type ColumnKey, COLUMNS } from './columns';

/** Search, order and page of the list, as in the URL. Absent values have their defaults. */
export interface UsersQuery {
  /** From 1. */
  readonly page?: number;
  readonly search?: string;
  /** A column, with `-` before it for the other direction. */
  readonly sort?: string;
}

interface Sorting {
  readonly column: ColumnKey;
  readonly isDescending: boolean;
}

export const MAX_SEARCH = 200;
export const MAX_PAGE = 1_000_000;
const DEFAULT_SORTING: Sorting = { column: 'email', isDescending: false };

/** Reads the URL; values that are not valid are ignored. */
export function usersQueryOf({ page, search, sort }: Record<string, unknown>): UsersQuery {
  const number = Number(page);
  const isPage = Number.isInteger(number) && number > 1 && number <= MAX_PAGE;
  const text = typeof search === 'string' ? search.trim().slice(0, MAX_SEARCH) : '';
  const isSort = typeof sort === 'string' && sortingOf(sort) !== undefined;
  return {
    ...(isPage && { page: number }),
    ...(text !== '' && { search: text }),
    ...(isSort && { sort }),
  };
}

export const sortingIn = ({ sort }: UsersQuery): Sorting => sortingOf(sort) ?? DEFAULT_SORTING;

/** The query for a click on a column: the first page sorted by it, or in reverse order if it is sorted by it already. */
export function sortedBy(query: UsersQuery, column: ColumnKey): UsersQuery {
  const now = sortingIn(query);
  const isDescending = now.column === column && !now.isDescending;
  const { search } = query;
  return { ...(search !== undefined && { search }), sort: `${isDescending ? '-' : ''}${column}` };
}

function sortingOf(sort: string | undefined): Sorting | undefined {
  const name = sort?.replace(/^-/, '');
  const column = COLUMNS.find(({ key }) => key === name);
  return column && { column: column.key, isDescending: sort !== name };
}
