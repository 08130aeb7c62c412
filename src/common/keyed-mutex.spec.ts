import { setImmediate as turn } from 'node:timers/promises';
import { KeyedMutex } from './keyed-mutex';

it('does the work of one key in order, one piece at a time', async () => {
  const mutex = new KeyedMutex();
  const seen: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    seen.push(`${name} begins`);
    await turn();
    seen.push(`${name} ends`);
    return name;
  };
  const done = await Promise.all([mutex.run('k', work('one')), mutex.run('k', work('two'))]);
  expect(done).toEqual(['one', 'two']);
  expect(seen).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

it('does not block other keys', async () => {
  const mutex = new KeyedMutex();
  let end = (): void => {};
  const long = mutex.run('k', () => new Promise<void>((resolve) => (end = resolve)));
  expect(await mutex.run('other', () => Promise.resolve('done'))).toBe('done');
  end();
  await long;
});

it('continues after a failure, which is reported to its caller', async () => {
  const mutex = new KeyedMutex();
  const failing = mutex.run('k', () => Promise.reject(new Error('broken')));
  const next = mutex.run('k', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

it('keeps nothing for a key that no one waits for', async () => {
  const mutex = new KeyedMutex();
  await Promise.all([1, 2, 3].map((each) => mutex.run(`${each % 2}`, () => Promise.resolve(each))));
  await turn();
  expect(mutex.size).toBe(0);
});
