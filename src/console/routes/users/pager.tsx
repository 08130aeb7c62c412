import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { PAGE_SIZE } from './use-users';
import { MAX_PAGE, type UsersQuery } from './users-query';

interface PagerProps {
  readonly query: UsersQuery;
  /** The number of users; absent until it is loaded. */
  readonly total: number | undefined;
  readonly isFetching: boolean;
}

const NUMBER = new Intl.NumberFormat('en');

/** Tells which users are shown, with links to the previous and the next page. */
export function Pager({ query, total, isFetching }: PagerProps) {
  const { page = 1 } = query;
  const pages = Math.min(Math.ceil((total ?? 0) / PAGE_SIZE), MAX_PAGE);
  const at = (other: number): UsersQuery => ({ ...query, page: other });
  const nav = useKeptFocus(page);
  return (
    <nav className="pager" aria-label="Pages" ref={nav}>
      <p role="status">{isFetching ? 'Loading…' : inWords(query, total, pages)}</p>
      {page > 1 && pages > 0 && (
        <Link to="/users" search={at(Math.min(page - 1, pages))} rel="prev">
          Previous page
        </Link>
      )}
      {page < pages && (
        <Link to="/users" search={at(page + 1)} rel="next">
          Next page
        </Link>
      )}
    </nav>
  );
}

/**
 * On the first and on the last page the link that led there is gone, and the keyboard's focus with it: then the other link
 * gets it.
 */
function useKeptFocus(page: number) {
  const nav = useRef<HTMLElement>(null);
  const shown = useRef(page);
  useEffect(() => {
    const isLost = shown.current !== page && document.activeElement === document.body;
    shown.current = page;
    if (isLost) nav.current?.querySelector('a')?.focus();
  }, [page]);
  return nav;
}

function inWords(
  { page = 1, search }: UsersQuery,
  total: number | undefined,
  pages: number,
): string {
  if (total === undefined) return '';
  if (total === 0) return search === undefined ? 'There are no users.' : 'No user was found.';
  const users = total === 1 ? '1 user' : `${NUMBER.format(total)} users`;
  if (page > pages) return `${users}, none of them on page ${NUMBER.format(page)}.`;
  return pages === 1 ? users : `${users}, page ${NUMBER.format(page)} of ${NUMBER.format(pages)}`;
}
