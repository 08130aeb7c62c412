/**
 * Loaded on first use and kept; concurrent callers share the load. A failed load is tried again by the next caller; but
 * Node caches the failure of an `import()`, so one that requests depend on must run at the start.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () =>
    (kept ??= load().catch((error: unknown) => {
      kept = undefined;
      throw error;
    }));
}
