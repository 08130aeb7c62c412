import { parseQuery } from '../query';
import { type UsersQuery, usersQueryOf } from '../routes/users/users-query';

type NextPage =
  { readonly to: '/users'; readonly search: UsersQuery } | { readonly to: '/users/new' };

/**
 * The page that follows the sign-in. Anybody can write a link with a `next`, so only these pages that need a session are
 * accepted.
 */
export function nextPage(next: string | undefined): NextPage | undefined {
  const [path, query = ''] = next?.split('?', 2) ?? [];
  if (path === '/users') return { to: path, search: usersQueryOf(parseQuery(query)) };
  return path === '/users/new' ? { to: path } : undefined;
}
