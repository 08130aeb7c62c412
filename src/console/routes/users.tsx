import { stringifyQuery } from '../query';
import { WithRights } from '../session/with-rights';
import { UserList } from './users/user-list';
import type { UsersQuery } from './users/users-query';

export function UsersPage({ query }: { readonly query: UsersQuery }) {
  return (
    <WithRights title="Users" next={`/users${stringifyQuery({ ...query })}`}>
      {(session) => <UserList {...session} query={query} />}
    </WithRights>
  );
}
