/** How long work of a start may take before the log says what it is (ms). */
const LONG = 5_000;

/** Calls `mention` once, where the work takes longer than a few seconds. */
export async function mentionSlow<T>(work: Promise<T>, mention: () => void): Promise<T> {
  const timer = setTimeout(mention, LONG);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
