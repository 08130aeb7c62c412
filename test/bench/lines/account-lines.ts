import { MEMBER, PASSWORD } from '../bench-data';
import { comparePassword, noWork, rotateSessions } from '../floors';
import type { Line } from '../line';
import { post } from '../request';

const nothing = async (): Promise<void> => {};

/** Requests about the caller's own account. */
export const ACCOUNT_LINES: readonly Line[] = [
  {
    name: 'ping',
    work: 'GET /server/ping',
    data: '–',
    target: 0.3,
    setup: nothing,
    requests: async () => [{ method: 'GET', path: '/server/ping' }],
    floor: noWork,
  },
  {
    name: 'me',
    work: 'GET /permissions/me, 50 rules',
    data: '51 rules',
    target: 0.2,
    setup: (data) => data.rules(51),
    requests: async (api) => [await api.getAs(MEMBER, '/permissions/me')],
    floor: noWork,
  },
  {
    name: 'me-10000',
    work: 'GET /permissions/me, 50 rules',
    data: '10,000 rules',
    target: 0.2,
    growth: { from: 'me', most: 1.2 },
    setup: (data) => data.rules(10_000),
    requests: async (api) => [await api.getAs(MEMBER, '/permissions/me')],
    floor: noWork,
  },
  {
    name: 'refresh',
    work: 'POST /auth/refresh',
    data: '–',
    target: 0.65,
    setup: nothing,
    requests: (api, connections) =>
      Promise.all(
        Array.from({ length: connections }, async () => {
          const { refresh_token } = await api.signIn(MEMBER);
          return post('/auth/refresh', { refresh_token });
        }),
      ),
    next: (answer) =>
      JSON.stringify({ refresh_token: /"refresh_token":"([^"]+)"/.exec(answer)?.[1] }),
    floor: rotateSessions,
  },
  {
    name: 'login',
    work: 'POST /auth/login, against bare bcrypt',
    data: '–',
    target: 0.95,
    setup: nothing,
    requests: async () => [post('/auth/login', { email: MEMBER, password: PASSWORD })],
    floor: comparePassword,
  },
];
