const MILLISECOND = 1_000;

/**
 * The longest turn of the event loop while `work` ran, in ms: so long nobody else was heard. Of the processor's time,
 * which a machine with much else to do takes no more of.
 */
export async function longestSilence(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let over = false;
  let last = used();
  const look = (): void => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 5));
  } finally {
    over = true;
  }
  return longest / MILLISECOND;
}

function used(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
