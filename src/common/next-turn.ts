/** Gives the event loop a turn, so that long work does not keep other requests waiting. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** How long work may keep the event loop (ms). */
const SLICE = 10;

/** Goes through a list, and gives the event loop a turn after each `atOnce` members, or sooner where they take long. */
export async function inTurns<T>(
  list: readonly T[],
  atOnce: number,
  work: (member: T, index: number) => void | Promise<void>,
): Promise<void> {
  let began = performance.now();
  let index = 0;
  for (const member of list) {
    if (index > 0 && (index % atOnce === 0 || performance.now() - began > SLICE)) {
      await nextTurn();
      began = performance.now();
    }
    const working = work(member, index);
    if (working) await working;
    index += 1;
  }
}
