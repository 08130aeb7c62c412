import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { ROOT } from './api/client';
import { Layout } from './components/layout';
import { LoginPage } from './routes/login';
import { NotFoundPage } from './routes/not-found';
import { ResetPasswordPage } from './routes/reset-password';

/* A page that is added here is added to `PAGES` of `src/admin/admin.service.ts` too. */

const root = createRootRoute({ component: Layout, notFoundComponent: NotFoundPage });

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's own way to say it
    throw redirect({ to: '/login', replace: true });
  },
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  /** `reason`: why a provider's sign-in failed; a code of the service. */
  validateSearch: ({ reason }: Record<string, unknown>): { reason?: string } =>
    typeof reason === 'string' ? { reason } : {},
  component: function Login() {
    return <LoginPage reason={login.useSearch().reason} />;
  },
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: ResetPasswordPage,
});

export const router = createRouter({
  routeTree: root.addChildren([start, login, resetPassword]),
  basepath: `${ROOT}admin`,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
