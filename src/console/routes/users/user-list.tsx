import { Link } from '@tanstack/react-router';
import { includes } from '../../api/rights';
import { refusalInWords } from '../../api/words';
import { Page } from '../../components/page';
import { SessionBar } from '../../session/session-bar';
import type { Session } from '../../session/with-rights';
import { type Column, readableColumns } from './columns';
import { Pager } from './pager';
import { SearchForm } from './search-form';
import { useUsers } from './use-users';
import type { UsersQuery } from './users-query';
import { UsersTable } from './users-table';

const UNSEEN = 'You may not see the users of this project. An administrator can change that.';

interface UserListProps extends Session {
  readonly query: UsersQuery;
}

/** The users that the signed-in user may see, in pages. */
export function UserList({ person, rights, query }: UserListProps) {
  const columns = readableColumns(rights);
  const seesAny = columns.length > 0;
  return (
    <Page title="Users" isWide>
      <SessionBar person={person} />
      <div className="tools">
        {seesAny && <SearchForm query={query} />}
        {includes(rights.createUsers, 'email') && (
          <Link to="/users/new" className="main-action">
            Create a user
          </Link>
        )}
      </div>
      {seesAny ? (
        <Found person={person} rights={rights} query={query} columns={columns} />
      ) : (
        <p>{UNSEEN}</p>
      )}
    </Page>
  );
}

function Found({
  person,
  rights,
  query,
  columns,
}: UserListProps & { readonly columns: readonly Column[] }) {
  const { data, error, isFetching } = useUsers(person, rights, columns, query);
  return (
    <>
      <div className="problem" role="alert">
        {error && <p>{refusalInWords(error)}</p>}
      </div>
      {data && (
        <UsersTable columns={columns} query={query} users={data.users} isBusy={isFetching} />
      )}
      <Pager query={query} isFetching={isFetching} total={data?.total} />
    </>
  );
}
