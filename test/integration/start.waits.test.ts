import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import {
  as,
  countLockWaitsBy,
  type LastingStorage,
  makeLastingStorage,
  type Program,
  runProgram,
  signIn,
  startTestApp,
  TEST_ADMIN,
  describeOnPostgres,
} from '../support';

// The embedded database has one connection: there, nothing waits for anything else.
const ENV = {
  ...{ HOST: '127.0.0.1', PORT: '0', SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX' },
  ...{ ADMIN_EMAIL: TEST_ADMIN.email, ADMIN_PASSWORD: TEST_ADMIN.password, LOCK_TIMEOUT: '100ms' },
};

describeOnPostgres('A start', () => {
  let database: LastingStorage;
  let other: Client;
  let watcher: Client;
  const programs: Program[] = [];

  const start = (): Program => {
    const program = runProgram('src/main.ts', { ...ENV, ...database.env });
    programs.push(program);
    return program;
  };

  beforeAll(async () => {
    database = await makeLastingStorage();
    const test = await startTestApp({ storage: database.storage });
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    const { data } = await admin.post('/policies', { name: 'Some' });
    const rule = { policy: data['id'], collection: 'service_roles', action: 'read', fields: ['*'] };
    expect((await admin.post('/permissions', rule)).status).toBe(200);
    await test.close();
    other = new Client(database.env.DATABASE_URL);
    watcher = new Client(database.env.DATABASE_URL);
    for (const client of [other, watcher]) await client.connect();
  });

  afterEach(async () => {
    await other.query('ROLLBACK');
    for (const { child } of programs) child.kill('SIGKILL');
    await Promise.all(programs.splice(0).map((program) => program.ends()));
  });

  afterAll(async () => {
    for (const client of [other, watcher]) await client?.end();
    await database?.drop();
  });

  it('does not wait for a transaction that holds rules', async () => {
    await other.query('BEGIN');
    await other.query('SELECT FROM service_permissions FOR UPDATE');
    await start().prints(/listens on/);
  });

  it('waits for it where it changes the rules, for longer than LOCK_TIMEOUT, and says so', async () => {
    await other.query("UPDATE service_permissions SET marks = '{}'");
    await other.query('BEGIN');
    await other.query('SELECT FROM service_permissions FOR UPDATE');
    const program = start();
    await program.prints(/The start waits for another transaction that holds a table or a rule/);
    await other.query('COMMIT');
    await program.prints(/listens on/);
    const { rows } = await other.query("SELECT FROM service_permissions WHERE marks = '{}'");
    expect(rows).toEqual([]);
  });

  it('that waits can be stopped, and says no more than that', async () => {
    await other.query("UPDATE service_permissions SET marks = '{}'");
    await other.query('BEGIN');
    await other.query('SELECT FROM service_permissions FOR UPDATE');
    const program = start();
    while ((await countLockWaitsBy(watcher)) === 0) await wait(10);
    program.child.kill('SIGTERM');
    expect(await program.ends()).toBe(0);
    const [last] = program.output().trim().split('\n').slice(-1);
    expect(last).toBe('Stopped before the start was complete.');
  });

  it('waits for a table whose comment it changes', async () => {
    await other.query('COMMENT ON TABLE service_roles IS NULL');
    await other.query('BEGIN');
    await other.query('LOCK TABLE service_roles IN SHARE UPDATE EXCLUSIVE MODE');
    const program = start();
    while ((await countLockWaitsBy(watcher)) === 0) await wait(10);
    await wait(300);
    await other.query('COMMIT');
    await program.prints(/listens on/);
  });

  it('says that another process is migrating', async () => {
    await other.query('BEGIN');
    await other.query('SELECT pg_advisory_xact_lock(7215408311)');
    const program = start();
    await program.prints(/Another process is migrating this database: waiting/);
    await other.query('COMMIT');
    await program.prints(/listens on/);
  });

  it('names the migration that takes long', async () => {
    await other.query("DELETE FROM service_migrations WHERE name LIKE 'RegisteredUsers%'");
    await other.query('ALTER TABLE service_users DROP COLUMN registered');
    await other.query('BEGIN');
    await other.query('SELECT FROM service_users');
    const program = start();
    await program.prints(/The migration RegisteredUsers\d+ is still running/);
    await other.query('COMMIT');
    await program.prints(/listens on/);
  });

  it('of an older version on a newer database warns, and names the migrations that it lacks', async () => {
    await other.query(
      `INSERT INTO service_migrations ("timestamp", name) VALUES (4102444800000, 'Later4102444800000')`,
    );
    const program = start();
    await program.prints(/listens on/);
    expect(program.output()).toMatch(
      /"warn".*Migrations have run on this database that this process does not know: Later4102444800000\./,
    );
  });

  it('is refused with a sentence where the search path leads to no schema', async () => {
    await other.query('ALTER DATABASE ' + (other.database ?? '') + ' SET search_path = nowhere');
    const program = start();
    expect(await program.ends()).toBe(1);
    expect(program.output().trim()).toBe(
      'No schema in the search_path of the database role exists and may be used by it (nowhere). Create one of them, or change the path: ALTER ROLE … SET search_path = public.',
    );
  });
});
