import { setTimeout as sleep } from 'node:timers/promises';
import { Broadcast } from '../../../src/database/broadcast/broadcast';
import {
  as,
  waitForNotifications,
  changeBySql,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../../support';

/** Whatever SQL changes a static token, no request is answered by its previous state. */
const PASSWORD = 'three-green-kettles';

let test: TestApp;
let admin: TestClient;
let policies: readonly string[];
let count = 0;
const heard: string[] = [];

beforeAll(async () => {
  test = await startTestApp();
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const rule = { collection: 'service_roles', action: 'read', fields: ['name'] };
  const made = [
    await admin.post('/policies', { name: 'Seeing', permissions: [rule] }),
    await admin.post('/policies', { name: 'Blind' }),
  ];
  policies = made.map(({ data }) => String(data['id']));
  test.app.get(Broadcast).subscribe({
    onMessage: (message) => void heard.push(message),
    onGap: () => void heard.push('missed'),
  });
});

afterAll(() => test.close());

interface Made {
  readonly user: string;
  readonly token: string;
  readonly robot: TestClient;
}

async function make(only: readonly number[]): Promise<Made> {
  const email = `person-${(count += 1)}@example.com`;
  const { data } = await admin.post('/users', { email, password: PASSWORD, policies });
  const me = as(test, (await signIn(test, { email, password: PASSWORD })).access_token);
  const made = await me.post('/users/me/tokens', {
    ...{ name: 'robot', current_password: PASSWORD },
    policies: only.map((index) => policies[index]),
  });
  const robot = as(test, String(made.data['token']));
  return { user: String(data['id']), token: String(made.data['id']), robot };
}

const look = async ({ robot }: Made): Promise<number> => (await robot.get('/roles?limit=1')).status;

/** Waits for a change that is published by another session; one that is never published fails the test. */
async function comesTo(made: Made, status: number): Promise<void> {
  for (let times = 0; times < 200 && (await look(made)) !== status; times += 1) await sleep(50);
  expect(await look(made)).toBe(status);
}

type Change = readonly [
  what: string,
  only: readonly number[],
  sql: string,
  from: number,
  to: number,
];

const CHANGES: readonly Change[] = [
  [
    'a policy removed',
    [0],
    `DELETE FROM service_static_token_policies WHERE token = '<token>'`,
    200,
    403,
  ],
  [
    'a policy added',
    [1],
    `INSERT INTO service_static_token_policies VALUES ('<token>', '<seeing>')`,
    403,
    200,
  ],
  [
    'another policy',
    [0],
    `UPDATE service_static_token_policies SET policy = '<blind>' WHERE token = '<token>'`,
    200,
    403,
  ],
  ['all policies truncated', [0], 'TRUNCATE service_static_token_policies', 200, 403],
  [
    'no longer limited to policies',
    [1],
    `UPDATE service_static_tokens SET narrowed = false WHERE id = '<token>'`,
    403,
    200,
  ],
  [
    'expired',
    [0],
    `UPDATE service_static_tokens SET expires_at = now() WHERE id = '<token>'`,
    200,
    401,
  ],
  ['deleted', [0], `DELETE FROM service_static_tokens WHERE id = '<token>'`, 200, 401],
  ['all tokens truncated', [0], 'TRUNCATE service_static_tokens CASCADE', 200, 401],
  [
    'another user',
    [0],
    `UPDATE service_static_tokens SET "user" = (SELECT id FROM service_users WHERE email = '${TEST_ADMIN.email}') WHERE id = '<token>'`,
    200,
    401,
  ],
];

const fill = (sql: string, { token }: Made): string =>
  sql
    .replaceAll('<token>', token)
    .replaceAll('<seeing>', policies[0] ?? '')
    .replaceAll('<blind>', policies[1] ?? '');

describe('a static token that SQL changes', () => {
  it.each(CHANGES)('counts for the next request: %s', async (_, only, sql, from, to) => {
    const made = await make(only);
    expect(await look(made)).toBe(from);
    await test.dataSource.query(fill(sql, made));
    await comesTo(made, to);
  });

  it('is announced whatever the search path of the SQL session', async () => {
    const made = await make([0]);
    expect(await look(made)).toBe(200);
    await test.database.transaction(async (tx) => {
      const [{ schema } = { schema: '' }] = await tx.query<{ schema: string }>(
        'SELECT current_schema() AS schema',
      );
      await tx.query(`SET LOCAL search_path = ''`);
      const sql = `DELETE FROM "${schema}".service_static_token_policies WHERE token = $1`;
      await tx.query(sql, [made.token]);
    });
    expect(await look(made)).toBe(403);
  });
});

it('the use of a static token is not announced, and the announcement of one user’s change names only that user', async () => {
  const [made, other] = [await make([0]), await make([0])];
  await waitForNotifications(test);
  heard.length = 0;
  await changeBySql(test, 'UPDATE service_static_tokens SET last_used = now()');
  await waitForNotifications(test);
  expect(heard).toEqual([]);
  await changeBySql(test, 'UPDATE service_static_tokens SET name = $2 WHERE id = $1', [
    ...[made.token, 'renamed'],
  ]);
  expect(heard).toEqual([made.user]);
  expect(await look(other)).toBe(200);
});
