import { QueryCache, QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { isRefused, signOut } from '../api/auth';

/** Under which the queries keep who is signed in. */
export const PERSON = ['person'] as const;

/** Nobody is signed in any more, so that nothing of what was read stays in memory. */
function forgetPerson(queries: QueryClient): void {
  queries.setQueryData(PERSON, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== PERSON[0] });
}

/** A refusal may mean that the session has ended: then the page leads to sign-in, else it says what was refused. */
export async function checkSession(queries: QueryClient, error: unknown): Promise<void> {
  if (isRefused(error)) await queries.invalidateQueries({ queryKey: PERSON });
}

/** The queries of one tab. They forget what they hold once nobody is signed in. */
export function createQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => void checkSession(queries, error),
      onSuccess: (data, { queryKey }) => {
        if (queryKey[0] === PERSON[0] && data === null) forgetPerson(queries);
      },
    }),
    // A refusal stays one: to ask again would count as one more attempt.
    defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
  });
  return queries;
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({ mutationFn: signOut, onSuccess: () => forgetPerson(queries) });
}
