import type { Pool } from 'pg';

/** Milliseconds that the server has to close them; one that is gone never does. */
const CLOSING_TIMEOUT = 2_000;

/**
 * Ends a pool, and waits until the server has closed its connections, which `pool.end()` does not do: their database
 * may be dropped then.
 * @param end what calls `pool.end()`, where somebody else must
 */
export async function closePool(pool: Pool, end = (): Promise<void> => pool.end()): Promise<void> {
  const closed = allClosed(pool);
  await end();
  await closed;
}

/** @returns resolves after two seconds at most */
function allClosed(pool: Pool): Promise<void> {
  let open = pool.totalCount;
  if (open === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CLOSING_TIMEOUT);
    pool.on('remove', () => {
      open -= 1;
      if (open > 0) return;
      clearTimeout(timer);
      resolve();
    });
  });
}
