/** Lets everybody else have their turn before what takes long goes on. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Goes through a list; after each `atOnce` members others have their turn. */
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
