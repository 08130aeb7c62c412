import { ServiceUnavailable } from './errors';
import { FairLimiter } from './fair-limiter';

/** Starts and finishes pieces of work on command, and lists the started ones in order. */
function workshop(limiter: FairLimiter) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, requester?: string): Promise<void> =>
    limiter.run(() => {
      begun.push(name);
      return new Promise((end) => ends.set(name, end));
    }, requester);
  const finish = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { begun, start, finish };
}

const outcome = (run: Promise<void>): Promise<string> =>
  run.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceUnavailable ? 'refused' : 'failed'),
  );

it('only a limited number runs at a time, and the others follow in order', async () => {
  const { begun, start, finish } = workshop(new FairLimiter({ concurrency: 2, maxQueued: 10 }));
  const runs = ['a', 'b', 'c', 'd'].map((name) => start(name));
  expect(begun).toEqual(['a', 'b']);
  await finish('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await finish('a');
  await finish('c');
  await finish('d');
  await Promise.all(runs);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

it('a failing piece of work makes room for the next', async () => {
  const limiter = new FairLimiter({ concurrency: 1, maxQueued: 10 });
  const failing = limiter.run(() => Promise.reject(new Error('no')));
  const next = limiter.run(() => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
  await expect(limiter.run(() => Promise.resolve('again'))).resolves.toBe('again');
});

it('waiting work takes turns by origin', async () => {
  const { begun, start, finish } = workshop(new FairLimiter({ concurrency: 1, maxQueued: 10 }));
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
  const runs = asked.map((name) => start(name, name[0]));
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await finish(name);
  await Promise.all(runs);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('work beyond the queue is refused at once, with the time to try again', async () => {
  const { start, finish } = workshop(new FairLimiter({ concurrency: 1, maxQueued: 1 }));
  const first = start('a');
  const second = start('b');
  const refused: unknown = await start('c').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ServiceUnavailable);
  expect(refused).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  await finish('a');
  await finish('b');
  await Promise.all([first, second]);
});

it('when the queue is full, work of the origin with most waiting is dropped', async () => {
  const { begun, start, finish } = workshop(new FairLimiter({ concurrency: 1, maxQueued: 3 }));
  const runs = ['a1', 'a2', 'a3', 'a4'].map((name) => outcome(start(name, 'a')));
  const other = outcome(start('b1', 'b'));
  const own = outcome(start('a5', 'a'));
  expect(await own).toBe('refused');
  for (const name of ['a1', 'a2', 'b1', 'a3']) await finish(name);
  expect(await Promise.all(runs)).toEqual(['done', 'done', 'done', 'refused']);
  expect([await other, begun]).toEqual(['done', ['a1', 'a2', 'b1', 'a3']]);
});

it('one origin runs no more than its share at a time, and leaves the rest to others', async () => {
  const limiter = new FairLimiter({ concurrency: 3, maxQueued: 10, perRequester: 2 });
  const { begun, start, finish } = workshop(limiter);
  const runs = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => start(name, name[0]));
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await finish('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  await finish('b2');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  for (const name of ['a1', 'a2', 'a3', 'a4']) await finish(name);
  await Promise.all(runs);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3', 'a4']);
});

it('work that has waited for too long is refused, and its place is free again', async () => {
  const { begun, start, finish } = workshop(
    new FairLimiter({ concurrency: 1, maxQueued: 1, maxWait: 20 }),
  );
  const first = start('a');
  expect(await outcome(start('b'))).toBe('refused');
  const third = start('c');
  await finish('a');
  await finish('c');
  await Promise.all([first, third]);
  expect(begun).toEqual(['a', 'c']);
});
