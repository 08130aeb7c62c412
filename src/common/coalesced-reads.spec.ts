import { setImmediate as settle } from 'node:timers/promises';
import { CoalescedReads } from './coalesced-reads';

/** The test itself answers reads, on demand, with the number of the read. */
function setUp() {
  const reads = new CoalescedReads<number>();
  const open: ((error?: Error) => void)[] = [];
  let begun = 0;
  const ask = (key = 'ada'): Promise<number> =>
    reads.read(key, () => {
      const number = (begun += 1);
      return new Promise((resolve, reject) => {
        open.push((error) => (error ? reject(error) : resolve(number)));
      });
    });
  const answer = async (error?: Error): Promise<void> => {
    open.shift()?.(error);
    await settle();
  };
  return { ask, answer, begun: () => begun };
}

describe('a fresh read', () => {
  it('starts after it was requested; all waiting callers share the next one', async () => {
    const { ask, answer, begun } = setUp();
    const first = ask();
    const waiting = [ask(), ask(), ask()];
    expect(begun()).toBe(1);
    await answer();
    const late = ask();
    expect(begun()).toBe(2);
    await answer();
    await answer();
    expect(await Promise.all([first, ...waiting, late])).toEqual([1, 2, 2, 2, 3]);
  });

  it('is not kept once it has ended', async () => {
    const { ask, answer } = setUp();
    for (const number of [1, 2]) {
      const read = ask();
      await answer();
      expect(await read).toBe(number);
    }
  });

  it('does not wait for other keys', async () => {
    const { ask, begun } = setUp();
    void ask('ada');
    void ask('bob');
    expect(begun()).toBe(2);
  });

  it('fails only for those who requested it, and the next one starts', async () => {
    const { ask, answer } = setUp();
    const [first, second] = [ask(), ask()];
    await Promise.all([expect(first).rejects.toThrow('broken'), answer(new Error('broken'))]);
    await answer();
    expect(await second).toBe(2);
  });
});
