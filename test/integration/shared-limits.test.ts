import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Throttle } from '../../src/throttle';
import {
  as,
  hasRedis,
  makeTestStorage,
  onPostgres,
  type RedisServer,
  SIGN_IN_TRANSPORTS,
  startRedis,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

const { email, password } = TEST_ADMIN;
const LIMIT = 20;

/** How long the service may take to find Redis again, in ms. */
const BACK_WITHIN = 30_000;

const guess = async (app: TestApp, sent = 'a wrong one'): Promise<number> =>
  (await as(app).post('/auth/login', { email, password: sent })).status;

/** How many of this many simultaneous guesses, sent to the instances in turn, were checked. */
async function checkedGuesses(apps: readonly TestApp[], count: number): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const app = apps[at % apps.length];
      const transport = SIGN_IN_TRANSPORTS[at % SIGN_IN_TRANSPORTS.length];
      if (!app || !transport) throw new Error('Nobody to ask');
      return (await transport.guess(app, email, `guess ${at}`)).status;
    }),
  );
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 401).length;
}

const stateOf = (app: TestApp): ReturnType<Throttle['state']> =>
  app.app.get(Throttle, { strict: false }).state();

async function isBack(app: TestApp): Promise<void> {
  const until = Date.now() + BACK_WITHIN;
  while (!(await stateOf(app)).shared) {
    if (Date.now() > until) throw new Error('Redis is not found again');
    await sleep(100);
  }
}

describe('one instance on the embedded database', () => {
  if (onPostgres() !== undefined) return;

  it('counts in memory', async () => {
    const app = await startTestApp();
    expect(await stateOf(app)).toEqual({ store: 'memory', shared: false });
    expect(await checkedGuesses([app], 50)).toBe(LIMIT);
    await app.close();
  });
});

describe('two instances on one PostgreSQL', () => {
  if (onPostgres() === undefined) return;
  let apps: TestApp[];
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const own = await makeTestStorage();
    const env = { RATE_LIMIT_REQUESTS: '300' };
    drop = own.drop;
    apps = [await startTestApp({ storage: own.storage, env })];
    apps.push(await startTestApp({ storage: own.storage, env }));
  });

  afterAll(async () => {
    for (const app of apps) await app.close();
    await drop();
  });

  it('count guesses together, one after the other and at the same time', async () => {
    const [a, b] = apps;
    if (!a || !b) throw new Error('Not started');
    expect(await stateOf(a)).toEqual({ store: 'database', shared: true });
    for (let time = 0; time < 15; time += 1) expect(await guess(a)).toBe(401);
    expect(await checkedGuesses([b], 20)).toBe(5);
    expect([await guess(a, password), await guess(b, password)]).toEqual([429, 429]);
    await a.database.query('DELETE FROM service_limits');
    expect(await checkedGuesses(apps, 100)).toBe(LIMIT);
  });

  it('refuse for no longer than the window after a clock that was ahead has been put back', async () => {
    const [a] = apps;
    await a?.database.query('DELETE FROM service_limits');
    if (!a) throw new Error('Not started');
    for (let time = 0; time < LIMIT; time += 1) expect(await guess(a)).toBe(401);
    await a.database.query('UPDATE service_limits SET expire = expire + 7200000');
    expect(await as(a).post('/auth/login', { email, password })).toMatchObject({
      status: 429,
      body: { errors: [{ extensions: { retryAfter: 300 } }] },
    });
    const left = await a.database.query<{ s: number }>(
      'SELECT (expire - extract(epoch FROM now()) * 1000)::int4 / 1000 AS s FROM service_limits ORDER BY 1',
    );
    const [requests = 0, guesses = 0] = left.map(({ s }) => s);
    expect(requests).toBeLessThanOrEqual(60);
    expect(guesses).toBeGreaterThan(60);
    expect(guesses).toBeLessThanOrEqual(300);
  });

  it('count requests together', async () => {
    const [a] = apps;
    await a?.database.query('DELETE FROM service_limits');
    const send = async (at: number): Promise<number> => {
      const app = apps[at % 2];
      if (!app) throw new Error('Not started');
      return (await as(app).post('/auth/refresh', { refresh_token: 'x' })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 400 }, (_, at) => send(at)));
    expect(statuses.filter((status) => status !== 429)).toHaveLength(300);
  });

  it('store neither addresses nor networks', async () => {
    const rows = await apps[0]?.database.query<{ key: string }>('SELECT key FROM service_limits');
    for (const { key } of rows ?? []) expect(key).toMatch(/^(failures|requests|codes):[\w-]{22}$/);
    expect(rows).not.toEqual([]);
  });
});

const described = hasRedis() ? describe : describe.skip;
described(`two instances with Redis${hasRedis() ? '' : ' (skipped: no redis-server here)'}`, () => {
  let redis: RedisServer;
  let apps: TestApp[];
  let drops: (() => Promise<void>)[];
  let warnings: jest.SpyInstance;

  beforeAll(async () => {
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    redis = await startRedis();
    const env = { REDIS_URL: redis.url };
    // An embedded database cannot be shared: each instance has its own, with the same administrator.
    const storages = [await makeTestStorage()];
    if (onPostgres() === undefined) storages.push(await makeTestStorage());
    drops = storages.map(({ drop }) => drop);
    apps = [];
    for (const at of [0, 1]) {
      const { storage } = storages[at] ?? storages[0] ?? {};
      if (storage) apps.push(await startTestApp({ storage, env }));
    }
  });

  afterAll(async () => {
    for (const app of apps) await app.close();
    for (const drop of drops) await drop();
    await redis.close();
    warnings.mockRestore();
  });

  const warned = (): string[] =>
    warnings.mock.calls
      .map(([message]) => String(message))
      .filter((message) => message.includes('ttempts are counted'));

  it('count together; while Redis is down each counts separately, and refuses neither too many nor too few', async () => {
    const [a, b] = apps;
    if (!a || !b) throw new Error('Not started');
    expect(await stateOf(a)).toEqual({ store: 'redis', shared: true });
    for (let time = 0; time < 15; time += 1) expect(await guess(a)).toBe(401);
    expect(await checkedGuesses([b], 20)).toBe(5);
    expect(await guess(a, password)).toBe(429);
    // Under load: some of these requests still reach Redis, the others do not.
    const during = Promise.all(Array.from({ length: 100 }, () => guess(a)));
    await redis.kill();
    expect(new Set(await during)).toEqual(new Set([401, 429]));
    expect(await guess(a, password)).toBe(429);
    // The other instance has counted nothing separately yet.
    expect(await guess(b, password)).toBe(200);
    expect(await checkedGuesses([b], 50)).toBe(LIMIT);
    expect(await stateOf(b)).toEqual({ store: 'redis', shared: false });
    expect(warned()).toHaveLength(2);
  });

  it('count together again when it is back', async () => {
    await redis.start();
    for (const app of apps) await isBack(app);
    expect(await checkedGuesses(apps, 100)).toBe(LIMIT);
  });

  it('are delayed briefly by a Redis that hangs, and then no longer', async () => {
    const [a, b] = apps;
    if (!a || !b) throw new Error('Not started');
    warnings.mockClear();
    await redis.kill();
    await redis.start();
    for (const app of apps) await isBack(app);
    warnings.mockClear();
    const from = Date.now();
    const during = Promise.all(Array.from({ length: 50 }, () => guess(a, password)));
    redis.stop();
    const statuses = await during;
    // Failures may already be counted in memory: guesses are refused, but nobody waits for Redis.
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    const held = Date.now() - from;
    const then = Date.now();
    await checkedGuesses([b], 50);
    process.stdout.write(
      `Redis hangs: 50 sign-ins in ${held} ms, then 50 in ${Date.now() - then} ms\n`,
    );
    expect(await stateOf(b)).toEqual({ store: 'redis', shared: false });
    redis.resume();
    for (const app of apps) await isBack(app);
    expect(warned()).toHaveLength(4);
  });

  it('never count in another database than REDIS_URL names: where Redis does not have it, in memory', async () => {
    warnings.mockClear();
    const app = await startTestApp({ env: { REDIS_URL: `${redis.url}/99` } });
    expect(await guess(app, password)).toBe(200);
    expect(await guess(app)).toBe(401);
    // The client connects anew.
    await sleep(6_000);
    expect(await guess(app)).toBe(401);
    expect(await stateOf(app)).toEqual({ store: 'redis', shared: false });
    const messages = warnings.mock.calls.map(([message]) => String(message));
    expect(messages.filter((message) => message.includes('REDIS_URL'))).toEqual([
      expect.stringContaining('out of range'),
    ]);
    expect(warned()).toHaveLength(1);
    await app.close();
  });
});
