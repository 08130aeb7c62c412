const MILLISECOND = 1_000;
const TRIES = 5;

/**
 * For how long `work` blocked the event loop: its longest turn, during which no other request was served. In ms of CPU
 * time, which does not grow on a busy machine. Other work in the same turn (garbage collection, compilation) can only
 * add to it, so the result is the minimum of several tries, or the first that is at most `enough`.
 */
export async function longestBlock(work: () => Promise<unknown>, enough: number): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < TRIES && least > enough; time += 1) {
    least = Math.min(least, await longestTurn(work));
  }
  return least;
}

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
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
