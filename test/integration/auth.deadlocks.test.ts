import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import {
  as,
  codeOf,
  countLockWaits,
  createPerson,
  forgetSteps,
  recordMails,
  type RecordedMails,
  makeTestStorage,
  type Person,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  type TestStorage,
  describeOnPostgres,
} from '../support';

const PASSWORD = 'a-password-of-theirs';
const OTHER = 'another-one-of-theirs';

// The embedded database has one connection: there, nothing waits for anything else.
describeOnPostgres('A request that the database ends because of a deadlock of others', () => {
  let database: TestStorage;
  let test: TestApp;
  let admin: TestClient;
  let recorded: RecordedMails;
  let others: Client[];

  beforeAll(async () => {
    database = await makeTestStorage();
    const { storage } = database;
    if (storage.kind !== 'postgres') throw new Error('Not on PostgreSQL');
    test = await startTestApp({ storage });
    recorded = recordMails(test);
    admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    others = [new Client(storage.url), new Client(storage.url)];
    for (const other of others) await other.connect();
  });

  afterAll(async () => {
    for (const other of others) await other.end();
    await test.close();
    await database.drop();
  });

  const person = (): Promise<Person> => createPerson(test, admin, PASSWORD);

  const untilWaiting = async (count: number): Promise<void> => {
    while ((await countLockWaits(test.database)) !== count) await wait(10);
  };

  const OF_USER = 'SELECT FROM service_users WHERE id = $1 FOR UPDATE';
  const OF_SESSIONS = 'SELECT FROM service_sessions WHERE "user" = $1 FOR UPDATE';

  /** The request waits for one of two others that wait for each other, and is the first to be ended for it. */
  async function duringDeadlock(
    user: string,
    send: () => Promise<Reply>,
    lock: string,
  ): Promise<Reply> {
    const [first, second] = others;
    if (!first || !second) throw new Error('There are not two');
    const ROLE = `SELECT pg_advisory_xact_lock(hashtext('a role'))`;
    for (const other of others) await other.query('BEGIN');
    await first.query(lock, [user]);
    await second.query(ROLE);
    const reply = send();
    await untilWaiting(1);
    const ends = [second.query(lock, [user])];
    await untilWaiting(2);
    ends.push(first.query(ROLE));
    await Promise.allSettled(ends);
    for (const other of others) await other.query('ROLLBACK');
    return reply;
  }

  const codesDuringDeadlock = async (
    user: string,
    send: () => Promise<Reply>,
    lock = OF_USER,
  ): Promise<readonly string[]> => (await duringDeadlock(user, send, lock)).codes;

  it('is repeated: a sign-in', async () => {
    const { id, email } = await person();
    const sent = { email, password: PASSWORD };
    expect(await codesDuringDeadlock(id, () => as(test).post('/auth/login', sent))).toEqual([]);
  });

  it('is repeated: a refresh, and a sign-out', async () => {
    const { data } = await admin.post('/users', { email: 'ann@example.com', password: PASSWORD });
    const id = String(data['id']);
    const { refresh_token } = await signIn(test, { email: 'ann@example.com', password: PASSWORD });
    const send = (path: string) => () => as(test).post(`/auth/${path}`, { refresh_token });
    expect(await codesDuringDeadlock(id, send('refresh'), OF_SESSIONS)).toEqual([]);
    expect(await codesDuringDeadlock(id, send('logout'), OF_SESSIONS)).toEqual([]);
  });

  it('is repeated: a new password by a link', async () => {
    const { id, email } = await person();
    await as(test).post('/auth/password/request', { email });
    const token = await recorded.tokenFor(email);
    const sent = { token, password: OTHER };
    expect(
      await codesDuringDeadlock(id, () => as(test).post('/auth/password/reset', sent)),
    ).toEqual([]);
  });

  it('is repeated: a new static token', async () => {
    const { id, client } = await person();
    const sent = { name: 'reports', current_password: PASSWORD };
    expect(await codesDuringDeadlock(id, () => client.post('/users/me/tokens', sent))).toEqual([]);
  });

  it('is repeated: two-factor authentication that is enabled, used and disabled', async () => {
    const { id, client } = await person();
    const { data } = await client.post('/users/me/tfa/generate', { password: PASSWORD });
    const secret = String(data['secret']);
    const send = (path: string, body: object) => () => client.post(`/users/me/tfa/${path}`, body);
    expect(await codesDuringDeadlock(id, send('enable', { secret, otp: codeOf(secret) }))).toEqual(
      [],
    );
    await forgetSteps(test);
    const change = { password: OTHER, otp: codeOf(secret) };
    expect(await codesDuringDeadlock(id, () => client.patch('/users/me', change))).toEqual([]);
    await forgetSteps(test);
    expect(await codesDuringDeadlock(id, send('disable', { otp: codeOf(secret) }))).toEqual([]);
  });

  it('is repeated: another invitation', async () => {
    const { data } = await admin.post('/roles', { name: 'Guests' });
    const sent = { email: 'invited@example.com', role: data['id'] };
    await admin.post('/users/invite', sent);
    const found = await admin.get('/users?filter[email][_eq]=invited@example.com&fields=id');
    const [{ id } = { id: '' }] = found.data as unknown as { id: string }[];
    expect(await codesDuringDeadlock(id, () => admin.post('/users/invite', sent))).toEqual([]);
  });
});
