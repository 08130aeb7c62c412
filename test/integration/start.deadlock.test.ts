import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import {
  as,
  countLockWaitsBy,
  makeTestStorage,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestStorage,
  describeOnPostgres,
} from '../support';

// The embedded database has one connection: there, nothing waits for anything else.
describeOnPostgres('A start beside another transaction that changes rules', () => {
  let database: TestStorage;
  let other: Client;
  let watcher: Client;
  const rules: number[] = [];

  beforeAll(async () => {
    database = await makeTestStorage();
    const { storage } = database;
    if (storage.kind !== 'postgres') throw new Error('Not on PostgreSQL');
    const test = await startTestApp({ storage });
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    const { data } = await admin.post('/policies', { name: 'Some' });
    const rule = { policy: data['id'], collection: 'service_roles', action: 'read', fields: ['*'] };
    for (const each of [rule, { ...rule, collection: 'service_users' }])
      rules.push(Number((await admin.post('/permissions', each)).data['id']));
    await test.close();
    other = new Client(storage.url);
    watcher = new Client(storage.url);
    for (const client of [other, watcher]) await client.connect();
  });

  afterAll(async () => {
    for (const client of [other, watcher]) await client?.end();
    await database?.drop();
  });

  it('succeeds where the database ends it because of a deadlock', async () => {
    const [first, second] = rules;
    const lock = (id: number | undefined) =>
      other.query('SELECT FROM service_permissions WHERE id = $1 FOR UPDATE', [id]);
    // A start locks only rules that it changes.
    await other.query("UPDATE service_permissions SET marks = '{}'");
    await other.query('BEGIN');
    await lock(second);
    const starting = startTestApp({ storage: database.storage });
    while ((await countLockWaitsBy(watcher)) === 0) await wait(10);
    await lock(first);
    await other.query('COMMIT');
    const started = await starting;
    expect((await fetch(`${started.url}/server/ping`)).status).toBe(200);
    await started.close();
  });
});
