import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { ROOT } from './api/client';
import { Layout } from './components/layout';
import { parseQuery, stringifyQuery } from './query';
import { AcceptInvitePage } from './routes/accept-invite';
import { CreateUserPage } from './routes/create-user';
import { LoginPage } from './routes/login';
import { NotFoundPage } from './routes/not-found';
import { ResetPasswordPage } from './routes/reset-password';
import { UsersPage } from './routes/users';
import { usersQueryOf } from './routes/users/users-query';
import { VerifyEmailPage } from './routes/verify-email';

/* A page that is added here is added to `PAGES` of `src/admin/admin.service.ts` too. */

const root = createRootRoute({ component: Layout, notFoundComponent: NotFoundPage });

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router redirects by a thrown object
    throw redirect({ to: '/login', replace: true });
  },
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  /** `reason`: the service's error code of a failed sign-in with a provider. `next`: the page that follows the sign-in. */
  validateSearch: ({
    reason,
    next,
  }: Record<string, unknown>): { reason?: string; next?: string } => ({
    ...(typeof reason === 'string' && { reason }),
    ...(typeof next === 'string' && { next }),
  }),
  component: function Login() {
    const { reason, next } = login.useSearch();
    return <LoginPage reason={reason} next={next} />;
  },
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: ResetPasswordPage,
});

const acceptInvite = createRoute({
  getParentRoute: () => root,
  path: '/accept-invite',
  component: AcceptInvitePage,
});

const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  validateSearch: ({ status }: Record<string, unknown>): { status?: string } =>
    typeof status === 'string' ? { status } : {},
  component: function VerifyEmail() {
    return <VerifyEmailPage status={verifyEmail.useSearch().status} />;
  },
});

const users = createRoute({
  getParentRoute: () => root,
  path: '/users',
  validateSearch: usersQueryOf,
  component: function Users() {
    // The router keeps values that were not accepted.
    return <UsersPage query={usersQueryOf(users.useSearch())} />;
  },
});

const createUser = createRoute({
  getParentRoute: () => root,
  path: '/users/new',
  component: CreateUserPage,
});

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    login,
    resetPassword,
    acceptInvite,
    verifyEmail,
    users,
    createUser,
  ]),
  parseSearch: parseQuery,
  stringifySearch: stringifyQuery,
  basepath: `${ROOT}admin`,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
