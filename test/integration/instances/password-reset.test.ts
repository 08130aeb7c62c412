import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PasswordResetJobHandler } from '../../../src/auth/password-reset/password-reset-job.handler';
import { JobFault, QueueTimes } from '../../../src/queue';
import {
  as,
  Browser,
  recordMails,
  jobsDone,
  makeTestStorage,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestStorage,
  tokenIn,
  describeOnPostgres,
} from '../../support';

/** Looks often for jobs of other instances. */
class Eager extends QueueTimes {
  override readonly pollInterval = 200;
}

/** Two instances on one PostgreSQL. The embedded database has only one. */
const PASSWORD = 'the-first-of-passwords';
const NEXT = 'the-second-of-passwords';

describeOnPostgres('a new password on one of two instances', () => {
  let database: TestStorage;
  let one: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    database = await makeTestStorage();
    one = await start();
    other = await start();
  });

  const start = (): Promise<TestApp> =>
    startTestApp({
      storage: database.storage,
      customise: (builder) => builder.overrideProvider(QueueTimes).useClass(Eager),
    });

  afterAll(async () => {
    await one.close();
    await other.close();
    await database.drop();
  });

  async function createUser(): Promise<string> {
    const email = `user-${randomUUID()}@example.com`;
    const admin = as(one, (await signIn(one, TEST_ADMIN)).access_token);
    expect((await admin.post('/users', { email, password: PASSWORD })).status).toBe(200);
    return email;
  }

  /** The token, whichever instance executes the job. */
  async function tokenFor(email: string): Promise<string> {
    const recorded = [one, other].map((each) => recordMails(each));
    await as(one).post('/auth/password/request', { email });
    await jobsDone(one);
    const mails = recorded.flatMap((each) => each.mails).filter(({ to }) => to.address === email);
    jest.restoreAllMocks();
    expect(mails).toHaveLength(1);
    return tokenIn(mails[0]);
  }

  it('ends the sessions on the other with the next request', async () => {
    const email = await createUser();
    const token = await tokenFor(email);
    const { access_token, refresh_token } = await signIn(other, { email, password: PASSWORD });
    const browser = new Browser(other);
    await browser.send('POST', '/auth/login', { email, password: PASSWORD, mode: 'session' });
    expect((await as(other, access_token).get('/users/me')).status).toBe(200);
    expect((await browser.send('GET', '/users/me')).status).toBe(200);
    const reset = await as(one).post('/auth/password/reset', { token, password: NEXT });
    expect(reset.status).toBe(204);
    // PostgreSQL notifies the other instance a moment later.
    await until(async () => (await as(other, access_token).get('/users/me')).status === 401);
    const after = [
      await as(other, access_token).get('/users/me'),
      await browser.send('GET', '/users/me'),
      await as(other).post('/auth/refresh', { refresh_token }),
      await as(other).post('/auth/login', { email, password: PASSWORD }),
    ];
    expect(after.map(({ codes }) => codes)).toEqual(Array(4).fill(['INVALID_CREDENTIALS']));
    await signIn(other, { email, password: NEXT });
  });

  it('succeeds once with one token, even if sent to both at once', async () => {
    const email = await createUser();
    const token = await tokenFor(email);
    const asked = [one, other, one, other].map((each) =>
      as(each).post('/auth/password/reset', { token, password: NEXT }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 403, 403, 403]);
  });

  it('is mailed once, even if many requests reach both at once', async () => {
    const email = await createUser();
    const recorded = [one, other].map((each) => recordMails(each));
    const asked = Array.from({ length: 10 }, () => [one, other]).flat();
    await Promise.all(asked.map((each) => as(each).post('/auth/password/request', { email })));
    await jobsDone(one);
    const mails = recorded.flatMap((each) => each.mails).filter(({ to }) => to.address === email);
    jest.restoreAllMocks();
    expect(mails).toHaveLength(1);
  });

  it('is mailed by the other if the one that got the request stops first', async () => {
    const email = await createUser();
    const recorded = [one, other].map((each) => recordMails(each));
    const third = await start();
    for (const each of [one, other, third]) {
      const looking = each.app.get(PasswordResetJobHandler, { strict: false });
      jest.spyOn(looking, 'run').mockRejectedValueOnce(new JobFault('about to stop', false));
    }
    await as(third).post('/auth/password/request', { email });
    await third.close();
    await jobsDone(one);
    const mails = recorded.flatMap((each) => each.mails).filter(({ to }) => to.address === email);
    jest.restoreAllMocks();
    expect(mails).toHaveLength(1);
  });
});

/** Waits up to two seconds: enough for a busy machine, and a change that is never published is not seen then either. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 2_000;
  while (!(await holds()) && Date.now() < end) await sleep(10);
}
