import type { Storage } from '../../src/database/storage';
import {
  as,
  Browser,
  freePort,
  type LastingStorage,
  mailTo,
  makeLastingStorage,
  queueMail,
  refusalOf,
  runProgram,
  signIn,
  startMailApp,
  startMailServer,
  TEST_ADMIN,
  type TestApp,
  until,
  waitingMails,
} from '../support';

const OLD = 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX';
const NEW = 'z8Kd3NfPq1WtYv5LbRh7XcJm2SgTa9Ue';

/** More than are sealed again in one transaction. */
const MAILS = 120;

let storage: Storage;
let drop: () => Promise<void>;
let env: LastingStorage['env'];
let port: number;

beforeEach(async () => {
  port = await freePort();
  ({ storage, drop, env } = await makeLastingStorage());
});

afterEach(() => drop());

/** The mail server is down, unless a test starts one. */
const start = (SECRET: string, more: Record<string, string> = {}): Promise<TestApp> =>
  startMailApp(
    { SECRET, SMTP_URL: `smtp://127.0.0.1:${port}`, ...more },
    { storage, logger: false },
  );

const keyIds = async (test: TestApp): Promise<(string | undefined)[]> =>
  (await waitingMails(test)).map(({ content }) => content.split('.')[0]);

/** Everything of a user that is signed with a secret. */
interface Held {
  readonly access: string;
  readonly refresh: string;
  readonly browser: Browser;
}

async function signInAll(test: TestApp): Promise<Held> {
  const { access_token, refresh_token } = await signIn(test, TEST_ADMIN);
  const browser = new Browser(test);
  await browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode: 'session' });
  return { access: access_token, refresh: refresh_token, browser };
}

/** The statuses for the access token, a refresh, a refresh with its successor, the session cookie and its refresh. */
async function statuses(test: TestApp, { access, refresh, browser }: Held): Promise<number[]> {
  const moved = new Browser(test);
  for (const [name, value] of browser.cookies) moved.cookies.set(name, value);
  const refreshed = await as(test).post('/auth/refresh', { refresh_token: refresh });
  const again = await as(test).post('/auth/refresh', {
    refresh_token: String(refreshed.data['refresh_token']),
  });
  return [
    (await as(test, access).get('/users/me?fields=id')).status,
    refreshed.status,
    again.status,
    (await moved.send('GET', '/users/me?fields=id')).status,
    (await moved.send('POST', '/auth/refresh', { mode: 'session' })).status,
  ];
}

it('a replaced secret signs no one out, and waiting jobs are sealed again', async () => {
  let test = await start(OLD);
  const held = await signInAll(test);
  for (let number = 0; number < MAILS; number += 1) {
    await queueMail(test, mailTo(`user-${number}@example.com`));
  }
  const [sealedBy] = await keyIds(test);
  await test.close();

  expect((await refusalOf(start(NEW))).message).toMatch(
    /Values in service_jobs.content .120. were sealed with a SECRET that is no longer listed/,
  );

  test = await start(`${NEW},${OLD}`);
  expect(await statuses(test, held)).toEqual([200, 200, 200, 200, 200]);
  const anew = await signInAll(test);
  await until(async () => !(await keyIds(test)).includes(sealedBy));
  await test.close();

  const server = await startMailServer(port);
  test = await start(NEW);
  expect((await statuses(test, anew)).slice(0, 3)).toEqual([200, 200, 200]);
  expect((await as(test, held.access).get('/users/me')).status).toBe(401);
  const received = await server.received(MAILS);
  expect(new Set(received.flatMap(({ recipients }) => recipients)).size).toBe(MAILS);
  await test.close();
  await server.close();
});

it('data sealed with a lost secret is given up if the operator allows it', async () => {
  let test = await start(OLD);
  await queueMail(test, mailTo('ann@example.com'));
  await test.close();
  test = await start(NEW, { DROP_UNREADABLE_VALUES: 'true' });
  expect(await waitingMails(test)).toEqual([]);
  await test.close();
});

it('a command gives up nothing that was sealed with a lost secret: only a start does', async () => {
  let test = await start(OLD);
  await queueMail(test, mailTo('ann@example.com'));
  await test.close();
  const environment = { ...env, SECRET: NEW, DROP_UNREADABLE_VALUES: 'true' };
  const command = runProgram('src/cli.ts', environment, 'access', 'export', '/dev/stdout');
  expect([await command.ends(), command.output()]).toEqual([0, expect.stringMatching(/^#/)]);
  test = await start(OLD);
  expect(await waitingMails(test)).toHaveLength(1);
  await test.close();
});

it('a mail that is pending when the process ends is sent by the next process', async () => {
  let test = await start(OLD);
  await queueMail(test, mailTo('ann@example.com'));
  await test.close();
  const server = await startMailServer(port);
  test = await start(OLD);
  await server.received(1);
  await until(async () => (await waitingMails(test)).length === 0);
  expect(server.mails).toHaveLength(1);
  await test.close();
  await server.close();
});
