import { setImmediate as turn } from 'node:timers/promises';
import { Turns } from './turns';

it('does the work of one key in its order, one at a time', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    seen.push(`${name} begins`);
    await turn();
    seen.push(`${name} ends`);
    return name;
  };
  const done = await Promise.all([turns.take('k', work('one')), turns.take('k', work('two'))]);
  expect(done).toEqual(['one', 'two']);
  expect(seen).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

it('lets other keys go on', async () => {
  const turns = new Turns();
  let end = (): void => {};
  const long = turns.take('k', () => new Promise<void>((resolve) => (end = resolve)));
  expect(await turns.take('other', () => Promise.resolve('done'))).toBe('done');
  end();
  await long;
});

it('goes on after a failure, which is told to whoever caused it', async () => {
  const turns = new Turns();
  const failing = turns.take('k', () => Promise.reject(new Error('broken')));
  const next = turns.take('k', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

it('keeps nothing of a key that nobody waits for', async () => {
  const turns = new Turns();
  await Promise.all(
    [1, 2, 3].map((each) => turns.take(`${each % 2}`, () => Promise.resolve(each))),
  );
  await turn();
  expect(turns.size).toBe(0);
});
