// First: it takes the token out of the address before the router reads that.
import './link-token';
import './styles.css';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isSignedOut } from './api/auth';
import { router } from './router';
import { forgetPerson } from './session/person';

const queries: QueryClient = new QueryClient({
  // Whatever was to be read: the session has ended, and the page leads to sign-in.
  queryCache: new QueryCache({ onError: (error) => isSignedOut(error) && forgetPerson(queries) }),
  // A refusal stays one: to ask again would count as one more attempt.
  defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
});

const place = document.getElementById('root');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
