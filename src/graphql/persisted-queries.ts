import type { ApolloPlugin } from './apollo-plugin';

/** No query is stored: one that is sent along with its hash, to be stored, is answered without that. */
export const withoutPersistedQueries: ApolloPlugin = {
  requestDidStart: ({ request: { query, extensions } }) => {
    if (query) delete extensions?.['persistedQuery'];
    return Promise.resolve();
  },
};
