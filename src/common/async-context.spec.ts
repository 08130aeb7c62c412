import { setImmediate as turn } from 'node:timers/promises';
import { AsyncContext } from './async-context';

it('work and everything that it awaits share a separate context', async () => {
  const context = new AsyncContext<string>();
  const look = async (): Promise<string | undefined> => {
    await turn();
    return context.get();
  };
  const nested = async () => [await context.run('inner', look), await look()];
  expect(await Promise.all([context.run('one', look), context.run('two', nested), look()])).toEqual(
    ['one', ['inner', 'two'], undefined],
  );
});

it('the context ends with the work, even if the work has left something running', async () => {
  const context = new AsyncContext<string>();
  let left: Promise<string | undefined> | undefined;
  await expect(
    context.run('one', () => {
      left = turn().then(() => context.get());
      throw new Error('failed');
    }),
  ).rejects.toThrow('failed');
  expect(await left).toBeUndefined();
});
