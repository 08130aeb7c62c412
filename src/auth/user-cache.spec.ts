import { setImmediate as settle } from 'node:timers/promises';
import { UserCache } from './user-cache';

const cacheOf = (bytes: number) =>
  new UserCache<string>({ maxBytes: 10_000, mayCache: () => true, bytesOf: () => bytes });

describe.each([0, 10])('a value of %d bytes', (bytes) => {
  it('that was dropped while it was looked up is not cached', async () => {
    const cache = cacheOf(bytes);
    const lookup = { answer: (_: string): void => {} };
    const before = cache.get('ada', 'token', () => new Promise((found) => (lookup.answer = found)));
    cache.delete('ada');
    lookup.answer('old');
    await settle();
    const after = cache.get('ada', 'token', () => Promise.resolve('new'));
    expect([await before, await after]).toEqual(['old', 'new']);
  });
});
