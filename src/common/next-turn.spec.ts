import { countTurnsBy } from './count-turns.spec-support';
import { inTurns, nextTurn } from './next-turn';

/** How many turns others get while a list is processed, each member of which takes some milliseconds. */
function turnsDuring(members: number, perTurn: number, milliseconds: number): Promise<number> {
  let now = 0;
  const list = Array.from({ length: members });
  return countTurnsBy(
    () => now,
    async () => inTurns(list, perTurn, () => void (now += milliseconds)),
  );
}

describe('a long list', () => {
  it.each([
    ['quick members by their number', 100, 10, 0, 9],
    ['slow members sooner', 20, 100, 4, 6],
    ['very slow members one at a time', 5, 100, 500, 4],
    ['a few quick members at once', 10, 10, 0, 0],
  ])('is processed in turns: %s', async (_, members, perTurn, milliseconds, turns) => {
    expect(await turnsDuring(members, perTurn, milliseconds)).toBe(turns);
  });
});

it('many long lists at once are processed in turns of their own', async () => {
  let now = 0;
  const process = async (): Promise<void> => inTurns([1, 2, 3, 4, 5], 1, () => void (now += 20));
  const turns = await countTurnsBy(
    () => now,
    () => Promise.all(Array.from({ length: 10 }, process)),
  );
  expect(turns).toBeGreaterThanOrEqual(39);
});

describe('a short list', () => {
  it('is processed at once, without a promise', () => {
    const seen: number[] = [];
    const done = inTurns([1, 2, 3], 10, (member) => void seen.push(member));
    expect([done, seen]).toEqual([undefined, [1, 2, 3]]);
  });

  it('keeps its order if some of its members are asynchronous', async () => {
    const seen: string[] = [];
    await inTurns(['a', 'b', 'c', 'd'], 2, async (member, index) => {
      if (index % 2 === 0) await nextTurn();
      seen.push(`${member}${index}`);
    });
    expect(seen).toEqual(['a0', 'b1', 'c2', 'd3']);
  });

  it.each([
    ['at once', 1, () => void 0],
    ['later', 3, () => nextTurn()],
  ])('ends with the first member that fails: %s', async (_, fails, work) => {
    const seen: number[] = [];
    const running = async (): Promise<void> =>
      inTurns([1, 2, 3, 4], 2, (member) => {
        seen.push(member);
        if (member === fails) throw new Error('failed');
        return work();
      });
    await expect(running()).rejects.toThrow('failed');
    expect(seen).toEqual([1, 2, 3].slice(0, fails));
  });
});
