/** How many turns of the event loop others have during some work. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  try {
    await work();
  } finally {
    clearImmediate(next);
  }
  return turns;
}

/**
 * The same with a replaced clock.
 * @param read gives the time in ms, whenever the clock is asked
 */
export async function countTurnsBy(
  read: () => number,
  work: () => Promise<unknown>,
): Promise<number> {
  // An own property hides the clock's method, and can be taken away again.
  Object.defineProperty(performance, 'now', { value: read, configurable: true });
  try {
    return await countTurns(work);
  } finally {
    Reflect.deleteProperty(performance, 'now');
  }
}
