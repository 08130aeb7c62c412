import { Logger } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';
import { BoundedMemoryLimiter } from './bounded-memory';
import { Counters } from './counters';
import { UNLIMITED } from './shared-store';

afterEach(() => jest.restoreAllMocks());

function sharedCounters() {
  const limiter: RateLimiterAbstract = new RateLimiterMemory(UNLIMITED);
  const nothing = (): Promise<void> => Promise.resolve();
  const shorten = jest.fn(nothing);
  const counters = new Counters({ name: 'redis', limiter, open: nothing, close: nothing, shorten });
  return { counters, limiter, shorten };
}

it('a failing store is bypassed, with one warning until it is back', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  const { counters, limiter } = sharedCounters();
  expect(await counters.add('k', 5, 60_000)).toMatchObject({ points: 5 });
  const broken = jest.spyOn(limiter, 'consume').mockRejectedValue(new Error('hangs'));
  const counts: number[] = [];
  for (let time = 0; time < 3; time += 1) counts.push((await counters.add('k', 1, 60_000)).points);
  expect(counts).toEqual([1, 2, 3]);
  expect(warn.mock.calls).toEqual([
    ['Redis cannot be used; attempts are counted in memory: hangs'],
  ]);
  broken.mockRestore();
  expect(await counters.isShared()).toBe(true);
  expect(await counters.add('k', 1, 60_000)).toMatchObject({ points: 6 });
  expect(warn.mock.calls.slice(1)).toEqual([['Attempts are counted in Redis again']]);
});

it('a store that is full, but still read and deleted from, does not count as back', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  const { counters, limiter } = sharedCounters();
  jest.spyOn(limiter, 'consume').mockRejectedValue(new Error('OOM command not allowed'));
  await counters.add('k', 3, 60_000);
  expect(await counters.isShared()).toBe(false);
  await counters.clear('k');
  expect(await counters.isShared()).toBe(false);
  expect(await counters.add('k', 1, 60_000)).toMatchObject({ points: 1 });
  expect(warn.mock.calls).toEqual([
    ['Redis cannot be used; attempts are counted in memory: OOM command not allowed'],
  ]);
});

it('a counter that ends later than its window, by a clock that was ahead, is shortened to it', async () => {
  const { counters, shorten } = sharedCounters();
  await counters.add('k', 1, 7_200_000);
  expect(await counters.add('k', 1, 60_000)).toEqual({ points: 2, expiresInMs: 60_000 });
  expect(shorten.mock.calls).toEqual([['k', 60_000]]);
});

it('in memory a limited number of counters is kept, including those in use', async () => {
  const memory = new BoundedMemoryLimiter(UNLIMITED);
  const hour = { customDuration: 3_600 };
  for (let key = 0; key < 60_000; key += 1) {
    await memory.consume(`other ${key}`, 1, hour);
    if (key % 1_000 === 0) await memory.consume('guessed', 1, hour);
  }
  expect(memory.dump().storage.length).toBeLessThanOrEqual(30_000);
  expect((await memory.get('guessed'))?.consumedPoints).toBe(60);
  expect(await memory.get('other 0')).toBeNull();
});
