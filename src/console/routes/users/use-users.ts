import { type Query, useQuery } from '@tanstack/react-query';
import type { Person } from '../../api/auth';
import type { Rights } from '../../api/rights';
import { listUsers, type UserList } from '../../api/users';
import { type Column, fieldsOf } from './columns';
import { sortingIn, type UsersQuery } from './users-query';

export const PAGE_SIZE = 25;

/** A page of the users. The last page stays until the next one is loaded. */
export function useUsers(
  { id }: Person,
  { readUsers }: Rights,
  columns: readonly Column[],
  query: UsersQuery,
) {
  const { page = 1, search = '' } = query;
  const fields = fieldsOf(columns, readUsers);
  const sort = sortOf(columns, query);
  return useQuery({
    queryKey: ['users', id, fields, sort, search, page],
    queryFn: () => listUsers({ fields, sort, search, page, limit: PAGE_SIZE }),
    staleTime: 0,
    placeholderData: (last: UserList | undefined, of: Query<UserList> | undefined) =>
      of?.queryKey[1] === id ? last : undefined,
  });
}

/** Sorts by the requested column if it is readable, else by the first one. */
function sortOf(columns: readonly Column[], query: UsersQuery): string[] {
  const { column, isDescending } = sortingIn(query);
  const { fields } = columns.find(({ key }) => key === column) ?? columns[0] ?? { fields: [] };
  return fields.map((field) => (isDescending ? `-${field}` : field));
}
