import type { Change } from '../hooks';
import type { TransactionContext } from '../write-context';
import { LookUps } from './look-ups';

const context = {} as TransactionContext;
const change: Change = { collection: 'books', action: 'update', keys: [1], system: null };

describe('What hooks look up for a write', () => {
  it('is looked up once by each function, for all rows', async () => {
    const lookUps = new LookUps([], [1, 2]);
    const one = jest.fn((keys: readonly unknown[]) => keys.length);
    const other = jest.fn(() => Promise.resolve('found'));
    for (let time = 0; time < 3; time++) {
      expect(await lookUps.once(one, context)).toBe(2);
      expect(await lookUps.once(other, context)).toBe('found');
    }
    expect([one.mock.calls, other.mock.calls]).toEqual([[[[1, 2], context]], [[[1, 2], context]]]);
  });

  it('is looked up again once something is written', async () => {
    const changes: Change[] = [];
    const lookUps = new LookUps(changes, [1]);
    const count = jest.fn(() => changes.length);
    expect(await lookUps.once(count, context)).toBe(0);
    changes.push(change);
    expect([await lookUps.once(count, context), await lookUps.once(count, context)]).toEqual([
      1, 1,
    ]);
    expect(count).toHaveBeenCalledTimes(2);
  });

  it('may be refused, also without a promise', async () => {
    const refuse = (): never => {
      throw new Error('refused');
    };
    await expect(new LookUps([], []).once(refuse, context)).rejects.toThrow('refused');
  });
});
