import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { read, seed, update, type World } from '../factories';
import { SampleModule } from '../sample-extension/sample.module';
import {
  countLockWaitsBy,
  onPostgres,
  type Reply,
  startTestApp,
  describeOnPostgres,
} from '../support';

/** Longer than a request waits for a connection. */
const PATIENT = { STATEMENT_TIMEOUT: '1h', LOCK_TIMEOUT: '1h', TRUST_PROXY: '1' };
const AT_ONCE = 12;
/** Of the ten connections, how many the writes of one user, and the long reads of one network, may use. */
const [WRITES, READS] = [8, 5];

let world: World;
/** Other clients of the same database. A transaction does not see sessions that begin later. */
let other: Client;
let watcher: Client;

/** The embedded database has one session. */
beforeAll(async () => {
  if (onPostgres() === undefined) return;
  world = await seed(await startTestApp({ imports: [SampleModule], env: PATIENT, logger: false }), {
    policies: {
      writing: [read('articles', ['*']), update('articles', ['title'])],
      public: [read('articles', ['title']), read('tags', ['name'])],
    },
    users: { ann: { policies: ['writing'] }, ben: { policies: ['writing'] } },
    rows: { articles: [{ title: 'Rivers' }, { title: 'Hills' }, { title: 'Seas' }] },
  });
  const { storage } = world.app;
  const url = 'url' in storage ? storage.url : '';
  [other, watcher] = [new Client(url), new Client(url)];
  await Promise.all([other.connect(), watcher.connect()]);
});

afterAll(async () => {
  await Promise.all([other?.end(), watcher?.end()]);
  await world?.app.close();
});

const waiting = (): Promise<number> => countLockWaitsBy(watcher);

async function untilWaiting(expected: number): Promise<void> {
  while ((await waiting()) < expected) await sleep(20);
}

/** Sends requests that wait for the lock, and does the work meanwhile. @returns their statuses */
async function whileLocked(
  lock: string,
  send: (index: number) => Promise<Reply>,
  work: () => Promise<void>,
): Promise<Set<number>> {
  await other.query(`BEGIN; ${lock}`);
  const sent = Array.from({ length: AT_ONCE }, (_, index) => send(index));
  await work().finally(() => other.query('ROLLBACK'));
  return new Set((await Promise.all(sent)).map(({ status }) => status));
}

const LOCKED_ROW = 'SELECT FROM articles WHERE id = 1 FOR UPDATE';
const LOCKED_TABLE = 'LOCK TABLE articles IN ACCESS EXCLUSIVE MODE';

describeOnPostgres('60: writes that take long', () => {
  it.each<[string, () => Promise<Reply>]>([
    ['an item', () => world.as('ann').patch('/items/articles/1', { title: 'x' })],
    [
      'selected items',
      () =>
        world.as('ann').patch('/items/articles', {
          query: { filter: { id: 1 } },
          data: { title: 'x' },
        }),
    ],
    [
      'items in GraphQL',
      () =>
        world.as('ann').post('/graphql', {
          query: 'mutation { update_articles_item(id: 1, data: { title: "x" }) { id } }',
        }),
    ],
  ])('leave connections to other users (%s)', async (_, send) => {
    const statuses = await whileLocked(LOCKED_ROW, send, async () => {
      await untilWaiting(WRITES);
      const ben = world.as('ben');
      const replies = [
        await ben.patch('/items/articles/2', { title: 'y' }),
        await ben.get('/items/articles/2'),
        await ben.get('/items/articles?filter[title]=y'),
      ];
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await waiting()).toBe(WRITES);
    });
    expect(statuses).toEqual(new Set([200]));
  });
});

describeOnPostgres('60: reads that take long', () => {
  const readFrom = (address: string, collection: string): Promise<Reply> =>
    world.as(null).send('GET', `/items/${collection}?search=rivers`, undefined, {
      'x-forwarded-for': address,
    });

  it('leave connections to other networks, whatever addresses of an IPv6 network they come from', async () => {
    const send = (index: number): Promise<Reply> => readFrom(`2001:db8::${index + 1}`, 'articles');
    const statuses = await whileLocked(LOCKED_TABLE, send, async () => {
      await untilWaiting(READS);
      expect((await readFrom('2001:db8:0:1::1', 'tags')).status).toBe(200);
      expect(await waiting()).toBe(READS);
    });
    expect(statuses).toEqual(new Set([200]));
  });
});
