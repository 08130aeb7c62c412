const MILLISECOND = 1_000;
const TRIES = 5;

/**
 * The longest turn of the event loop while `work` ran, in ms: so long nobody else was heard. Of the processor's time,
 * which a machine with much else to do takes no more of. What else the process does in that turn (it collects garbage,
 * and compiles beside it) only adds: so it is the least of some tries, or the first that is no more than `enough`.
 */
export async function longestSilence(
  work: () => Promise<unknown>,
  enough: number,
): Promise<number> {
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
