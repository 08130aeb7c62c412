import { Link } from '@tanstack/react-router';
import type { User } from '../../api/users';
import type { Column } from './columns';
import { sortedBy, sortingIn, type UsersQuery } from './users-query';

interface UsersTableProps {
  readonly columns: readonly Column[];
  readonly users: readonly User[];
  readonly query: UsersQuery;
  readonly isBusy: boolean;
}

export function UsersTable({ columns, users, query, isBusy }: UsersTableProps) {
  if (users.length === 0) return null;
  return (
    // In narrow windows the table scrolls: with the focus, it can be scrolled by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
    <div className="table" role="region" aria-label="Users" tabIndex={0}>
      <table aria-busy={isBusy}>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHeader key={column.key} column={column} query={query} />
            ))}
          </tr>
        </thead>
        <tbody>
          {users.map((user, index) => (
            <tr key={user.id ?? index}>
              {columns.map(({ key, cell }) => (
                <td key={key} data-column={key}>
                  {cell(user)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SortHeader({ column, query }: { readonly column: Column; readonly query: UsersQuery }) {
  const { key, label } = column;
  const now = sortingIn(query);
  const direction = now.isDescending ? 'descending' : 'ascending';
  const isSorted = now.column === key;
  return (
    <th scope="col" data-column={key} {...(isSorted && { 'aria-sort': direction })}>
      <Link to="/users" search={sortedBy(query, key)}>
        {label}
        {isSorted && <span aria-hidden="true">{now.isDescending ? ' ↓' : ' ↑'}</span>}
      </Link>
    </th>
  );
}
