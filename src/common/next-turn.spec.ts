import { countTurnsBy } from './count-turns.spec-support';
import { inTurns } from './next-turn';

/** How many turns others have while a list is gone through, each member of which takes some milliseconds. */
function turnsDuring(members: number, atOnce: number, milliseconds: number): Promise<number> {
  let now = 0;
  const list = Array.from({ length: members });
  return countTurnsBy(
    () => now,
    async () => inTurns(list, atOnce, () => void (now += milliseconds)),
  );
}

describe('a long list', () => {
  it.each([
    ['quick members by their number', 100, 10, 0, 9],
    ['slow members sooner', 20, 100, 4, 6],
    ['members that are slow alone one at a time', 5, 100, 500, 4],
    ['few that are quick at once', 10, 10, 0, 0],
  ])('is gone through in turns: %s', async (_, members, atOnce, milliseconds, turns) => {
    expect(await turnsDuring(members, atOnce, milliseconds)).toBe(turns);
  });
});
