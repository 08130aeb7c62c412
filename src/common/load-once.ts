/**
 * What is loaded with its first use, and kept; those who ask meanwhile get the same. A load that failed is tried again by
 * whoever asks next; but Node keeps the failure of an `import()`, so one that requests depend on belongs to the start.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () =>
    (kept ??= load().catch((error: unknown) => {
      kept = undefined;
      throw error;
    }));
}
