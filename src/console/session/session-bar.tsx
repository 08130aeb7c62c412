import type { Person } from '../api/auth';
import { inWords } from '../api/words';
import { useSignOut } from './person';

/** Shows who is signed in, and signs out. */
export function SessionBar({ person }: { readonly person: Person }) {
  const leave = useSignOut();
  return (
    <div className="session">
      <span>
        Signed in as <strong>{person.email ?? person.id}</strong>
      </span>
      <button
        type="button"
        className="link"
        aria-disabled={leave.isPending}
        onClick={() => !leave.isPending && leave.mutate()}
      >
        Sign out
      </button>
      <span role="alert">{leave.isError && inWords(leave.error)}</span>
    </div>
  );
}
