import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { textOf } from '../../components/form';
import { MAX_SEARCH, type UsersQuery, usersQueryOf } from './users-query';

/** Searches when it is submitted, not with every key. */
export function SearchForm({ query: { search = '', sort } }: { readonly query: UsersQuery }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    // Follows the URL, also after a step back in the history.
    if (input.current) input.current.value = search;
  }, [search]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const asked = textOf(new FormData(event.currentTarget), 'search');
    void navigate({ to: '/users', search: usersQueryOf({ search: asked, sort }) });
  };
  return (
    <form className="search" role="search" onSubmit={submit}>
      <label htmlFor={id}>Search</label>
      <input
        ref={input}
        id={id}
        type="search"
        name="search"
        maxLength={MAX_SEARCH}
        autoComplete="off"
        spellCheck={false}
      />
      <button type="submit" className="other-action">
        Search
      </button>
    </form>
  );
}
