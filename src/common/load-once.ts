/**
 * What is loaded with its first use, and kept; those who ask meanwhile get the same. A load that failed is tried again by
 * whoever asks next.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () =>
    (kept ??= load().catch((error: unknown) => {
      kept = undefined;
      throw error;
    }));
}
