import { randomUUID } from 'node:crypto';
import { FAIL } from '../../src/queue/job-sql';
import { startTestApp, type TestApp } from '../support';

const [FIRST, LONGEST] = [1_000, 60_000];

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

/** Seconds until a job is tried again that failed for so many times, in a queue that nobody works on. */
async function waitAfter(attempts: number, expires = '1 day'): Promise<number> {
  const [id, claim] = [randomUUID(), randomUUID()];
  // Of one transaction, both statements have the same now().
  const [job] = await test.database.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO service_jobs (id, queue, content, expires_at, next_try, attempts, claim)
       VALUES ($1, 'nobody', '', now() + $4::text::interval, now(), $3, $2)`,
      [id, claim, attempts, expires],
    );
    await tx.query(FAIL, [id, claim, 'a reason', FIRST, LONGEST]);
    return tx.query<{ wait: number; claim: string | null }>(
      `SELECT extract(epoch FROM next_try - now())::float8 AS wait, claim FROM service_jobs WHERE id = $1`,
      [id],
    );
  });
  expect(job?.claim).toBeNull();
  return job?.wait ?? 0;
}

it.each([
  [1, 1],
  [2, 2],
  [4, 8],
  [7, 60],
  [2_000, 60],
])('a job that failed %i times waits %i s, up to a quarter less or more', async (failed, wait) => {
  const waited = await waitAfter(failed);
  expect(waited).toBeGreaterThanOrEqual(0.75 * wait - 0.001);
  expect(waited).toBeLessThanOrEqual(1.25 * wait + 0.001);
});

it('a job waits no longer than until it expires', async () => {
  expect(await waitAfter(2_000, '5 seconds')).toBeCloseTo(5, 2);
});
