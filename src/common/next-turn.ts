/** Gives the event loop a turn, so that long work does not keep other requests waiting. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const waiting: (() => void)[] = [];

function resumeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/**
 * The same between two parts of long work: however many such works there are, only one of them goes on in each turn.
 * Otherwise a turn would be as long as the parts of all of them, and new connections are accepted one in each.
 */
export const turnOfLongWork = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext);
  });

/** How long work may keep the event loop (ms). */
const SLICE = 10;

/**
 * Goes through a list, and gives the event loop a turn after each `perTurn` members, or sooner where they take long.
 * @returns nothing where it is done already: a short list that is gone through for each of a thousand rows needs no promise
 */
export function inTurns<T>(
  list: readonly T[],
  perTurn: number,
  work: (member: T, index: number) => void | Promise<void>,
): void | Promise<void> {
  // Most requests are about one row, and each goes through many lists.
  if (list.length <= 1) return list.length === 0 ? undefined : work(list[0] as T, 0);
  let [index, turnAt, began] = [0, 0, performance.now()];
  const giveTurn = async (): Promise<void> => {
    turnAt = index;
    await turnOfLongWork();
    began = performance.now();
  };
  const isDue = (): boolean => index % perTurn === 0 || performance.now() - began > SLICE;
  const goOn = (): void | Promise<void> => {
    while (index < list.length) {
      if (index > turnAt && isDue()) return giveTurn();
      const working = work(list[index] as T, index);
      index += 1;
      if (working) return working;
    }
    return undefined;
  };
  const waiting = goOn();
  return waiting && untilDone(waiting, goOn);
}

async function untilDone(first: Promise<void>, goOn: () => void | Promise<void>): Promise<void> {
  let waiting: void | Promise<void> = first;
  while (waiting) {
    await waiting;
    waiting = goOn();
  }
}
