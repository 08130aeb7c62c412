import { inTurns } from './next-turn';

/** How many turns others have while a list is gone through, each member of which takes some milliseconds. */
async function turnsDuring(members: number, atOnce: number, milliseconds: number): Promise<number> {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await inTurns(Array.from({ length: members }), atOnce, () => {
    now += milliseconds;
  });
  clearImmediate(next);
  clock.mockRestore();
  return turns;
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
