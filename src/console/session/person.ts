import { QueryCache, QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { isRefused, signOut } from '../api/auth';

/** The query key of the signed-in user. */
export const PERSON = ['person'] as const;

/** Records that nobody is signed in, and removes all loaded data from memory, except what everybody may know. */
function forgetPerson(queries: QueryClient): void {
  queries.setQueryData(PERSON, null);
  queries.removeQueries({
    predicate: ({ queryKey, meta }) => queryKey[0] !== PERSON[0] && meta?.['isPublic'] !== true,
  });
}

/** A refusal may mean that the session has ended: then the page leads to the sign-in, else it shows the error. */
export async function checkSession(queries: QueryClient, error: unknown): Promise<void> {
  if (isRefused(error)) await queries.invalidateQueries({ queryKey: PERSON });
}

/** The query client of one tab. It is cleared when nobody is signed in any more. */
export function createQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => void checkSession(queries, error),
      onSuccess: (data, { queryKey }) => {
        if (queryKey[0] === PERSON[0] && data === null) forgetPerson(queries);
      },
    }),
    defaultOptions: {
      // Another try would be refused as well, and would count as one more attempt. What the browser says of the network is
      // not asked: the service may be on this machine, and a paused sign-in would be sent at any time later.
      queries: { retry: false, staleTime: 30_000, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  return queries;
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({ mutationFn: signOut, onSuccess: () => forgetPerson(queries) });
}
