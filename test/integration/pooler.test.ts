import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ownMigrations } from '../../src/database';
import { runMigrations } from '../../src/migration-tools/run-migration-command';
import {
  as,
  describeWith,
  makeTestStorage,
  type Pooler,
  refusalOf,
  signIn,
  startPooler,
  startTestApp,
  TEST_ADMIN,
  describeOnPostgres,
} from '../support';
import { makePeople, Traffic } from '../support/traffic';
import { type Instances, SAMPLE, startInstance, startInstances } from './instances/instances';

jest.setTimeout(180_000);

const SECONDS = 8;
/** Fewer sessions than connections, so that each session serves both instances. */
const SESSIONS = 3;

interface TestDatabase {
  readonly url: string;
  readonly sql: (statement: string) => Promise<void>;
  readonly drop: () => Promise<void>;
}

async function makeDatabase(): Promise<TestDatabase> {
  const { storage, drop } = await makeTestStorage();
  if (storage.kind !== 'postgres') throw new Error('There is no pooler before what is embedded');
  const { url } = storage;
  const sql = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  return { url, sql, drop };
}

class OneMore4102444800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE one_more (id int)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE one_more');
  }
}

const nameIn = (url: string): string => new URL(url).pathname.slice(1);

/** The embedded database has one process and no pooler. */
describeOnPostgres('on PostgreSQL', () => {
  describeWith(['pgbouncer'], 'two instances behind PgBouncer in transaction mode', behindPooler);
  describeWith(['pgbouncer'], 'two applications that do not hear each other', unconnectedInstances);
  describe('sessions without any set-up', () => {
    sessionsWithoutSetUp();
  });
});

function behindPooler(): void {
  let database: TestDatabase;
  let pooler: Pooler;
  let instances: Instances;

  beforeAll(async () => {
    database = await makeDatabase();
    pooler = await startPooler(database.url, { size: SESSIONS });
    const env = { DATABASE_STATEMENT_NAMES: 'false', DATABASE_DIRECT_URL: database.url };
    // Both start at once, and the migrations of the sample still have to run.
    instances = await startInstances([pooler.url, pooler.url], env, SAMPLE);
  });

  afterAll(async () => {
    await instances?.close();
    await pooler?.close();
    await database?.drop();
  });

  it('answer mixed reads and writes with the right rows, and never with 500', async () => {
    const [one = '', other = ''] = instances.urls;
    const people = await makePeople(one, TEST_ADMIN, 6);
    const traffic = new Traffic([one, other], people, 0);
    traffic.start();
    await sleep(SECONDS * 1_000);
    await traffic.stop();
    for (const url of instances.urls) await traffic.review(url);
    const { tally } = traffic;
    expect(tally.faults).toEqual([]);
    expect({ cut: tally.ending('cut'), unavailable: tally.ending('503') }).toEqual({
      ...{ cut: 0, unavailable: 0 },
    });
    // Each received the other's changes without the pooler, and no statement was refused.
    expect(instances.output()).not.toMatch(/Nothing is cached|no longer prepared/);
    expect(tally.acknowledged).toBeGreaterThan(20);
    expect(tally.compared).toBeGreaterThan(50);
  });

  it('start with a warning that names the settings that the pooler’s sessions lack', async () => {
    const bare = await startPooler(database.url, {
      changes: { 'SET jit = off; SET statement_timeout = 15000; SET lock_timeout = 5000': '' },
    });
    const program = startInstance({
      ...{ DATABASE_URL: bare.url, DATABASE_DIRECT_URL: database.url },
      DATABASE_STATEMENT_NAMES: 'false',
    });
    const [told] = await program.prints(/let each begin with `.*`/);
    expect(told).toBe(
      'let each begin with `SET jit = off; SET statement_timeout = 15000; SET lock_timeout = 5000`',
    );
    await program.prints(/listens on/);
    program.child.kill('SIGTERM');
    await program.ends();
    await bare.close();
  });

  it('are refused with instructions where the pooler rejects the settings', async () => {
    const program = startInstance({ DATABASE_URL: pooler.url });
    expect(await program.ends()).toBe(1);
    expect(program.output()).toContain('DATABASE_STATEMENT_NAMES=false');
  });
}

function unconnectedInstances(): void {
  let database: TestDatabase;
  let another: TestDatabase;
  let pooler: Pooler;

  beforeAll(async () => {
    database = await makeDatabase();
    another = await makeDatabase();
    pooler = await startPooler(database.url, { size: SESSIONS });
    const first = await startTestApp({ storage: { kind: 'postgres', url: database.url } });
    await first.close();
  });

  afterAll(async () => {
    await pooler?.close();
    await another?.drop();
    await database?.drop();
  });

  it.each([
    ['listen by way of the pooler', () => undefined],
    ['listen to another database', () => another.url],
  ])('and %s detect this, and cache nothing', async (_, directUrl) => {
    const url = pooler.url;
    const storage = { ...({ kind: 'postgres', url, statementNames: false } as const) };
    const given = { storage: { ...storage, directUrl: directUrl() }, logger: false } as const;
    const apps = [await startTestApp(given), await startTestApp(given)] as const;
    for (const [one, other] of [apps, apps.toReversed() as unknown as typeof apps]) {
      const { access_token: token, refresh_token } = await signIn(one, TEST_ADMIN);
      const look = async (): Promise<number> => (await as(other, token).get('/users/me')).status;
      for (let time = 0; time < 3; time += 1) expect(await look()).toBe(200);
      await as(one).post('/auth/logout', { refresh_token });
      expect(await look()).toBe(401);
    }
    for (const app of apps) await app.close();
  });
}

function sessionsWithoutSetUp(): void {
  it.each([
    ["TimeZone = 'Asia/Tokyo'", "TimeZone = 'UTC'"],
    [
      "default_transaction_isolation = 'repeatable read'",
      "default_transaction_isolation = 'read committed'",
    ],
    ['extra_float_digits = 0', 'extra_float_digits = 1'],
    ['quote_all_identifiers = on', 'quote_all_identifiers = off'],
    ['standard_conforming_strings = off', 'standard_conforming_strings = on'],
    ['array_nulls = off', 'array_nulls = on'],
  ])('are refused where answers would be wrong, with the remedy (%s)', async (wrong, right) => {
    const { url, sql, drop } = await makeDatabase();
    await sql(`ALTER DATABASE ${nameIn(url)} SET ${wrong}`);
    const storage = { kind: 'postgres' as const, url, statementNames: false };
    const { message } = await refusalOf(startTestApp({ storage, logger: false }));
    expect(message).toContain(`SET ${right}`);
    await drop();
  });

  it('do not matter to applications that set up their own', async () => {
    const { url, sql, drop } = await makeDatabase();
    await sql(`ALTER DATABASE ${nameIn(url)} SET TimeZone = 'Asia/Tokyo'`);
    await sql(`ALTER DATABASE ${nameIn(url)} SET default_transaction_isolation = 'serializable'`);
    await sql(`ALTER DATABASE ${nameIn(url)} SET extra_float_digits = 0`);
    await sql(`ALTER DATABASE ${nameIn(url)} SET quote_all_identifiers = on`);
    await sql(`ALTER DATABASE ${nameIn(url)} SET standard_conforming_strings = off`);
    await sql(`ALTER DATABASE ${nameIn(url)} SET array_nulls = off`);
    const test = await startTestApp({ storage: { kind: 'postgres', url } });
    expect(await test.database.query('SHOW transaction_isolation')).toEqual([
      { transaction_isolation: 'read committed' },
    ]);
    expect(await test.database.query('SELECT 0.1::float8 + 0.2::float8 AS sum')).toEqual([
      { sum: 0.1 + 0.2 },
    ]);
    expect(
      await test.database.query(
        `SELECT length('\\\\') AS length, array_position('{NULL}'::text[], NULL) AS place`,
      ),
    ).toEqual([{ length: 2, place: 1 }]);
    expect((await fetch(`${test.url}/server/health`)).status).toBe(200);
    await test.close();
    await drop();
  });

  it('do not stop the migration command, which bypasses the pooler', async () => {
    const { url, drop } = await makeDatabase();
    // No pooler listens on this port.
    const storage = {
      kind: 'postgres' as const,
      url: 'postgres://127.0.0.1:1/none',
      directUrl: url,
    };
    const printed: string[] = [];
    const print = (line: unknown): void => void printed.push(String(line));
    const schema = { entities: [], migrations: [...ownMigrations, OneMore4102444800000] };
    await runMigrations({ schema, storage }, { out: print, err: print, colours: false });
    expect(printed).toEqual(['Ran OneMore4102444800000']);
    await drop();
  });
}
