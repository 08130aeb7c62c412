import { Client } from 'pg';
import { LastSeen } from '../../src/auth/sessions/last-seen';
import { SessionSweeper } from '../../src/auth/sessions/session-sweeper';
import {
  as,
  SESSION_TRANSPORTS,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  itOnPostgres,
} from '../support';

let test: TestApp;
let count = 0;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

async function createPerson(): Promise<Person> {
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const person = { email: `somebody-${(count += 1)}@example.com`, password: 'three-green-kettles' };
  const { data } = await admin.post('/users', person);
  return { id: String(data['id']), ...person };
}

/** @returns the id of the session and its tokens */
async function begin(person: Person, device = 'a phone') {
  const body = { email: person.email, password: person.password };
  const headers = { 'user-agent': device };
  const { data } = await as(test).send('POST', '/auth/login', body, headers);
  const refresh = String(data['refresh_token']);
  const client = as(test, String(data['access_token']));
  return { id: refresh.split('.')[0] ?? '', refresh, client };
}

const setSession = (id: string, cells: string): Promise<object[]> =>
  test.database.query(`UPDATE service_sessions SET ${cells} WHERE id = $1::uuid`, [id]);

const TIMESTAMP: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const shown = (id: string, device: string, current: boolean): object => ({
  ...{ id, device, current, ip: '127.0.0.1' },
  ...{ created_at: TIMESTAMP, last_seen: TIMESTAMP, expires_at: TIMESTAMP },
});

describe.each(SESSION_TRANSPORTS)("the caller's own sessions over $name", (transport) => {
  it('are listed with the current one first, then the most recently seen, and never with a token', async () => {
    const person = await createPerson();
    await begin(await createPerson());
    const phone = await begin(person, 'a phone');
    const laptop = await begin(person, 'a laptop');
    const old = await begin(person, 'an old one');
    await setSession(old.id, `last_seen = now() - interval '1 day'`);
    const over = await begin(person, 'one that expired');
    await setSession(over.id, 'expires_at = now()');
    const { reply, sessions } = await transport.list(phone.client);
    expect(reply.codes).toEqual([]);
    expect(sessions).toEqual([
      shown(phone.id, 'a phone', true),
      shown(laptop.id, 'a laptop', false),
      shown(old.id, 'an old one', false),
    ]);
    expect(reply.text).not.toMatch(/hash|generation|rotations|[0-9a-f]{64}/);
  });

  it('are listed a hundred at a time, and can all be ended', async () => {
    const person = await createPerson();
    const { id, client } = await begin(person);
    await test.database.query(
      `INSERT INTO service_sessions (id, "user", token_hash, expires_at)
       SELECT gen_random_uuid(), $1::uuid, 'x', now() + interval '1 hour' FROM generate_series(1, 150)`,
      [person.id],
    );
    const { sessions } = await transport.list(client);
    expect(sessions).toHaveLength(100);
    expect(sessions[0]).toMatchObject({ id, current: true });
    expect((await transport.endOthers(client)).codes).toEqual([]);
    expect((await transport.list(client)).sessions).toHaveLength(1);
  });

  it('require a caller who is signed in', async () => {
    const nobody = as(test);
    const { id } = await createPerson();
    const replies = [
      (await transport.list(nobody)).reply,
      await transport.endOne(nobody, id),
      await transport.endOthers(nobody),
      await transport.endAllOf(nobody, id),
    ];
    const own = Array(3).fill(['INVALID_CREDENTIALS']);
    expect(replies.map(({ codes }) => codes)).toEqual([...own, ['FORBIDDEN']]);
  });
});

it('ending sessions accepts no body, and ends none if one is sent', async () => {
  const person = await createPerson();
  const { client } = await begin(person);
  const other = await begin(person);
  const paths = [
    '/users/me/sessions',
    `/users/me/sessions/${other.id}`,
    `/users/${person.id}/sessions`,
  ];
  for (const path of paths) {
    const { status, body } = await client.delete(path, { query: {}, all: true });
    expect([path, status]).toEqual([path, 400]);
    expect(body).toMatchObject({
      errors: [{ extensions: { field: 'query' } }, { extensions: { field: 'all' } }],
    });
    expect((await client.delete(path, ['x'])).codes).toEqual(['INVALID_PAYLOAD']);
  }
  expect((await other.client.get('/users/me')).status).toBe(200);
});

describe('when a session was last seen', () => {
  const seenLately = async (id: string): Promise<unknown> => {
    const [row] = await test.database.query(
      `SELECT last_seen > now() - interval '1 minute' AS lately FROM service_sessions WHERE id = $1::uuid`,
      [id],
    );
    return row?.['lately'];
  };

  it('is stored at intervals for all sessions that were used, and at a refresh', async () => {
    const person = await createPerson();
    const [used, unused, refreshed] = [
      await begin(person),
      await begin(person),
      await begin(person),
    ];
    await test.app.get(LastSeen).store();
    for (const { id } of [used, unused, refreshed]) {
      await setSession(id, `last_seen = now() - interval '1 hour'`);
    }
    expect((await used.client.get('/users/me')).status).toBe(200);
    expect(await seenLately(used.id)).toBe(false);
    await as(test).post('/auth/refresh', { refresh_token: refreshed.refresh });
    await test.app.get(LastSeen).store();
    const seen = [await seenLately(used.id), await seenLately(unused.id)];
    expect([...seen, await seenLately(refreshed.id)]).toEqual([true, false, true]);
  });
});

describe('sessions that have expired', () => {
  const stored = async (): Promise<number> => {
    const [row] = await test.database.query<{ count: number }>(
      'SELECT count(*)::int4 AS count FROM service_sessions WHERE expires_at <= now()',
    );
    return row?.count ?? 0;
  };
  const expireMany = async (many: number): Promise<void> => {
    const { id } = await createPerson();
    await test.database.query(
      `INSERT INTO service_sessions (id, "user", token_hash, expires_at)
       SELECT gen_random_uuid(), $1::uuid, 'x', now() - interval '1 hour' FROM generate_series(1, $2::int4)`,
      [id, many],
    );
  };

  it('are removed, however many they are', async () => {
    await expireMany(12_000);
    await test.app.get(SessionSweeper).sweep();
    expect(await stored()).toBe(0);
  });

  // The embedded database has one connection, so nobody else can be removing them.
  itOnPostgres('are left alone while another instance removes them', async () => {
    await expireMany(10);
    const url = 'url' in test.storage ? test.storage.url : '';
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query('BEGIN');
    await other.query(`SELECT pg_advisory_xact_lock(hashtext('service_sessions.sweep'))`);
    await test.app.get(SessionSweeper).sweep();
    expect(await stored()).toBe(10);
    await other.query('COMMIT');
    await other.end();
    await test.app.get(SessionSweeper).sweep();
    expect(await stored()).toBe(0);
  });
});
