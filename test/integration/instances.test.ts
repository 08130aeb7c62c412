import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { closePool } from '../../src/database/close-pool';
import { Database } from '../../src/database/database';
import { seed, type World } from '../factories';
import {
  as,
  makeTestStorage,
  onPostgres,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';
import { type Change, SEED, Changes } from './instances/changes';
import { type Instances, startInstances } from './instances/instances';
import { type Lag, lagTable, measureLag, settle } from './instances/lag';
import { ListenerProxy } from './instances/listener-proxy';

const server = onPostgres();
const START = 120_000;
const TURNS = 32;
const ENDS = 10;
/** Milliseconds for which an instance trusts its caches after a heartbeat. */
const HEARTBEAT_HOLDS = 3_000;

jest.setTimeout(START);

async function changeAll(changes: Changes, other: string): Promise<Lag[]> {
  const lags: Lag[] = [];
  for (const make of changes.all(TURNS, ENDS)) lags.push(await measureLag(await make(), other));
  return lags;
}

/** Makes the change; the first request to each instance must show it, and so must some more. */
async function isSeenAtOnce({ perform, look, expected }: Change, urls: readonly string[]) {
  await perform();
  for (let time = 0; time < 5; time += 1) {
    for (const url of urls) expect([url, await look(url)]).toEqual([url, expected]);
  }
}

if (server === undefined) {
  // The embedded database belongs to one process: there is no other instance, and no connection to be cut off.
  describe('the only instance on an embedded database', () => {
    it('shows each of 200 changes to the next request', async () => {
      const app = await startTestApp();
      const lags = await changeAll(await Changes.on(app.url, await seed(app, SEED)), app.url);
      console.log(lagTable(lags));
      expect(lags).toHaveLength(200);
      expect(lags.filter(({ lag }) => lag > 0)).toEqual([]);
      await app.close();
    });
  });
} else {
  onSeveral(server);
}

function onSeveral(url: string): void {
  describe('several instances on one database', () => {
    threeInstances();
  });
  it('four that start together on an empty database create one administrator and receive each other’s messages', () =>
    fourOnEmpty(url));
}

function threeInstances(): void {
  let drop: () => Promise<void>;
  let pool: Pool;
  let proxy: ListenerProxy;
  let instances: Instances;
  let world: World;
  let changes: Changes;
  let one: string;
  let other: string;
  /** The instance that reaches the database through the proxy. */
  let far: string;

  beforeAll(async () => {
    const test = await makeTestStorage();
    ({ drop } = test);
    const databaseUrl = 'url' in test.storage ? test.storage.url : '';
    pool = new Pool({ connectionString: databaseUrl });
    proxy = await ListenerProxy.open(databaseUrl);
    instances = await startInstances([databaseUrl, databaseUrl, proxy.url]);
    [one = '', other = '', far = ''] = instances.urls;
    const database = new Database(pool);
    // The applications are separate processes: only their database is available here.
    const app = { get: () => database };
    world = await seed({ url: one, database, app } as unknown as TestApp, SEED);
    changes = await Changes.on(one, world);
  }, START);

  afterAll(async () => {
    await instances?.close();
    proxy?.close();
    if (pool) await closePool(pool);
    await drop?.();
  });

  const allListen = async (): Promise<void> => {
    const listeners = `SELECT client_port FROM pg_stat_activity
      WHERE application_name = 'doorward-listener' AND datname = current_database()
        AND state = 'idle' AND query LIKE 'NOTIFY%'`;
    for (;;) {
      const ports = (await pool.query(listeners)).rows.map((row) => row.client_port as number);
      if (ports.length === 3 && ports.some((port) => port === proxy.port)) return;
      await sleep(50);
    }
  };

  afterEach(async () => {
    proxy.set('open');
    await allListen();
  });

  it('200 changes on one take effect on another', async () => {
    const lags = await changeAll(changes, other);
    console.log(lagTable(lags));
    expect(lags).toHaveLength(200);
  });

  it('no instance answers from stale data while its listener is cut off, nor when it is connected again', async () => {
    for (let round = 0; round < 5; round += 1) {
      proxy.set('refused');
      const cut = proxy.isCut();
      expect(await terminate(pool, proxy.port)).toBe(1);
      await cut;
      await isSeenAtOnce(await changes.rule(true), [far, one]);
      await isSeenAtOnce(await changes.rule(false), [far, one]);
      const last = await changes.rule(true);
      await last.perform();
      proxy.set('open');
      let back = false;
      const returns = allListen().then(() => (back = true));
      while (!back) expect(await last.look(far)).toBe(last.expected);
      await returns;
      await measureLag(await changes.rule(false), far);
    }
  });

  it('the writing instance does not either while all listeners are cut off', async () => {
    for (let round = 0; round < 10; round += 1) {
      expect(await terminate(pool)).toBe(3);
      await isSeenAtOnce(await changes.rule(round % 2 === 0), [one]);
      await allListen();
    }
  });

  it('an instance whose listener receives nothing more, on a connection that stays open, stops using its caches', async () => {
    const change = await changes.rule(true);
    await change.look(far);
    proxy.set('frozen');
    // It cannot know yet, but must know within the time that a heartbeat may be late.
    await measureLag(change, far);
    // One whose connection was new knew nothing yet; a heartbeat on its way to it has passed, and holds for its time.
    await sleep(HEARTBEAT_HOLDS);
    for (const on of [false, true, false]) await isSeenAtOnce(await changes.rule(on), [far]);
  });

  it('an instance whose listener is cut off still answers correctly', async () => {
    const there = await Changes.on(far, world);
    proxy.set('frozen');
    await isSeenAtOnce(await there.rule(true), [far]);
    await isSeenAtOnce(await there.rule(false), [far]);
  });
}

/** Ends the listener's connection that comes from the port, or those of all listeners. */
async function terminate(pool: Pool, port: number | null = null): Promise<number> {
  const { rows } = await pool.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE application_name = 'doorward-listener' AND datname = current_database()
       AND client_port = coalesce($1, client_port)`,
    [port],
  );
  return rows.length;
}

interface AdminRow {
  readonly id: string;
  readonly role: string;
}

async function fourOnEmpty(server: string): Promise<void> {
  const name = `doorward_empty_${process.pid}_${Date.now().toString(36)}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const admin = new Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const instances = await startInstances(Array.from({ length: 4 }, () => url.href));
  const [first = '', ...others] = instances.urls;
  const token = (await signIn({ url: first }, TEST_ADMIN)).access_token;
  const count = async (path: string): Promise<number> =>
    ((await as({ url: first }, token).get(path)).data as unknown as object[]).length;
  const made = ['/users', '/roles', '/policies', '/access'].map(count);
  expect(await Promise.all(made)).toEqual([1, 1, 2, 2]);
  const look = async (at: string): Promise<number> =>
    (await as({ url: at }, token).get('/users/me')).status;
  expect(await Promise.all(others.map(look))).toEqual([200, 200, 200]);
  // The last administrator stays.
  const admins = as({ url: first }, token);
  const [one] = (await admins.get('/users?fields=id,role')).data as unknown as AdminRow[];
  const second = { email: 'second@example.com', password: 'three-green-kettles', role: one?.role };
  expect((await admins.post('/users', second)).status).toBe(200);
  const perform = (): Promise<unknown> =>
    admins.patch(`/users/${one?.id}`, { status: 'suspended' });
  const change: Change = { kind: 'a suspension', perform, look, expected: 401 };
  await perform();
  for (const other of others) await settle(change, other);
  await instances.close();
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.end();
}
