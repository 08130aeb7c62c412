/** Gives the event loop a turn, so that long work does not keep other requests waiting. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Goes through a list, and gives the event loop a turn after each `atOnce` members. */
export async function inTurns<T>(
  list: readonly T[],
  atOnce: number,
  work: (member: T, index: number) => void | Promise<void>,
): Promise<void> {
  for (const [index, member] of list.entries()) {
    if (index > 0 && index % atOnce === 0) await nextTurn();
    const working = work(member, index);
    if (working) await working;
  }
}
