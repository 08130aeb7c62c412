import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database';
import type { Sealer } from '../secrets';
import { type JobHandler, QueueTimes } from './job';
import { CLAIM } from './job-sql';
import { JobWorker } from './job-worker';

/** The lease is renewed every 5 ms, so that a job that takes longer frees its slot. */
const TIMES: QueueTimes = {
  lease: 20,
  pollInterval: 5,
  firstRetry: 5,
  longestRetry: 5,
  stop: 1_000,
};

const database = {
  query: (text: string, values: readonly unknown[]) =>
    Promise.resolve(
      text === CLAIM
        ? Array.from({ length: Number(values[2]) }, () => ({
            id: randomUUID(),
            content: '',
            attempts: 1,
            expires_at: '2099-01-01',
          }))
        : [],
    ),
} as unknown as Database;
const sealer = { open: () => '' } as unknown as Sealer;

it('jobs that take long let others run at the same time, up to ten times the slots', async () => {
  let running = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = (): Promise<void> => {
    running += 1;
    return ended;
  };
  const handler: JobHandler = { queue: 'long', slots: 2, run };
  const worker = new JobWorker(handler, database, sealer, TIMES);
  worker.start();
  while (running < 20) await pause(5);
  await pause(100);
  expect(running).toBe(20);
  const stopped = worker.stop();
  end();
  await stopped;
});
