/** Longer work of a start is mentioned in the log. */
const SLOW_MS = 5_000;

/** Calls `mention` once, where the work takes longer than a few seconds. */
export async function mentionSlow<T>(work: Promise<T>, mention: () => void): Promise<T> {
  const timer = setTimeout(mention, SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
