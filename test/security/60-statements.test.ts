import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  as,
  countLockWaitsBy,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  describeOnPostgres,
} from '../support';

const PATIENT = { STATEMENT_TIMEOUT: '1h', LOCK_TIMEOUT: '1h' };
const BY_LIST = `{"query": "{ roles { name } }"}`;

let test: TestApp;
let token: string;
/** Another client of the same database. */
let other: Client;

/** The embedded database has one session, so nothing can be locked or cancelled. */
async function start(env: Record<string, string>): Promise<void> {
  test = await startTestApp({ env, logger: false });
  token = (await signIn(test, TEST_ADMIN)).access_token;
  expect((await as(test, token).get('/roles')).status).toBe(200);
  other = new Client('url' in test.storage ? test.storage.url : '');
  await other.connect();
}

async function stop(): Promise<void> {
  await other.end();
  await test.close();
}

/** Does the work while nobody else can read or write a role. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await other.query('BEGIN; LOCK TABLE service_roles IN ACCESS EXCLUSIVE MODE');
  try {
    await work();
  } finally {
    await other.query('ROLLBACK');
  }
}

const waitingStatements = (): Promise<number> => countLockWaitsBy(other);

async function untilWaiting(expected: number): Promise<void> {
  while ((await waitingStatements()) !== expected) await sleep(20);
}

/** Sends a request, and disconnects as soon as its statement waits in the database. */
async function leave(method: string, path: string, body?: string): Promise<void> {
  const leaving = new AbortController();
  const asked = fetch(test.url + path, {
    ...{ method, signal: leaving.signal },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  });
  await untilWaiting(1);
  leaving.abort();
  await expect(asked).rejects.toThrow('aborted');
}

describeOnPostgres('60: a statement', () => {
  it.each([
    ['takes too long', { STATEMENT_TIMEOUT: '300ms' }, 'the request took too long'],
    ['waits too long', { LOCK_TIMEOUT: '300ms' }, 'the request waited too long for a lock'],
  ])('that %s is given up with an error, read or write', async (_, env, reason) => {
    await start({ ...PATIENT, ...env });
    const admin = as(test, token);
    await whileLocked(async () => {
      for (const reply of [await admin.get('/roles'), await admin.post('/roles', { name: 'x' })]) {
        expect([reply.status, reply.codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
        expect(reply.text).toContain(reason);
      }
    });
    expect((await admin.get('/roles')).status).toBe(200);
    await stop();
  });
});

describeOnPostgres('60: a client that disconnects', () => {
  beforeAll(() => start(PATIENT));
  afterAll(() => stop());

  it.each([
    ['GET', '/roles', undefined],
    ['GET', '/roles?aggregate[count]=*', undefined],
    ['SEARCH', '/roles', '{"query": {}}'],
    ['POST', '/graphql/system', BY_LIST],
  ])('ends what is read for it (%s %s)', async (method, path, body) => {
    await whileLocked(async () => {
      await leave(method, path, body);
      await untilWaiting(0);
    });
    expect((await as(test, token).get('/roles')).status).toBe(200);
  });

  it('does not end what it writes', async () => {
    await whileLocked(async () => {
      await leave('POST', '/roles', '{"name": "made alone"}');
      await sleep(300);
      expect(await waitingStatements()).toBe(1);
    });
    await untilWaiting(0);
    const made = '/roles?filter[name][_eq]=made%20alone&aggregate[count]=*';
    while (!(await as(test, token).get(made)).text.includes('{"count":1}')) await sleep(20);
  });

  it('ends only its own statement, however many clients disconnect at once', async () => {
    const admin = as(test, token);
    let failed = 0;
    for (let round = 0; round < 40; round += 1) {
      const leaving = new AbortController();
      const gone = Array.from({ length: 8 }, () =>
        fetch(`${test.url}/roles?limit=-1&sort=name`, {
          signal: leaving.signal,
          headers: { authorization: `Bearer ${token}` },
        }).catch(() => undefined),
      );
      await sleep(round % 7);
      leaving.abort();
      const replies = await Promise.all([
        admin.post('/roles', { name: `role ${round}` }),
        admin.get('/roles'),
      ]);
      failed += replies.filter(({ status }) => status !== 200).length;
      await Promise.all(gone);
    }
    expect(failed).toBe(0);
  });
});
