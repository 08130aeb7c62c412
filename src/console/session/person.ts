import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { signOut } from '../api/auth';

/** Under which the queries keep who is signed in. */
export const PERSON = ['person'] as const;

/** Nobody is signed in any more, so that nothing of what was read stays in memory. */
export function forgetPerson(queries: QueryClient): void {
  queries.setQueryData(PERSON, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== PERSON[0] });
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({ mutationFn: signOut, onSuccess: () => forgetPerson(queries) });
}
