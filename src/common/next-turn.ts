/** Gives the event loop a turn, so that long work does not keep other requests waiting. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** How long work may keep the event loop (ms). */
const SLICE = 10;

type Work<T> = (member: T, index: number) => void | Promise<void>;

/**
 * Goes through a list, and gives the event loop a turn after each `atOnce` members, or sooner where they take long.
 * @returns nothing where it is done already: a short list that is gone through for each of a thousand rows needs no promise
 */
export function inTurns<T>(
  list: readonly T[],
  atOnce: number,
  work: Work<T>,
): void | Promise<void> {
  if (list.length === 0) return undefined;
  const began = performance.now();
  for (let index = 0; index < list.length; index += 1) {
    if (isDue(index, atOnce, began)) return goOn(list, atOnce, work, { index, began });
    const working = work(list[index] as T, index);
    if (working) return working.then(() => goOn(list, atOnce, work, { index: index + 1, began }));
  }
  return undefined;
}

const isDue = (index: number, atOnce: number, began: number): boolean =>
  index > 0 && (index % atOnce === 0 || performance.now() - began > SLICE);

async function goOn<T>(
  list: readonly T[],
  atOnce: number,
  work: Work<T>,
  from: { readonly index: number; readonly began: number },
): Promise<void> {
  let { index, began } = from;
  for (; index < list.length; index += 1) {
    if (isDue(index, atOnce, began)) {
      await nextTurn();
      began = performance.now();
    }
    const working = work(list[index] as T, index);
    if (working) await working;
  }
}
