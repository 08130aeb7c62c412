import { performance } from 'node:perf_hooks';
import type { Change } from './changes';

/** Milliseconds from the writer's answer until another instance gave the right answer; 0: at the first request. */
export interface Lag {
  readonly kind: string;
  readonly lag: number;
}

const MAX_LENGTH = 10_000;

/** Makes the change, and immediately sends requests to the other instance until it is in force there. */
export async function measureLag(change: Change, url: string): Promise<Lag> {
  const { kind, perform, look, expected } = change;
  if ((await look(url)) === expected) throw new Error(`${kind}: nothing to change`);
  await perform();
  return { kind, lag: await settle(change, url) };
}

/** Sends requests until the change is in force. */
export async function settle({ kind, look, expected }: Change, url: string): Promise<number> {
  const answered = performance.now();
  for (let stale = 0; ; stale += 1) {
    const asked = performance.now() - answered;
    const status = await look(url);
    if (status === expected) return stale === 0 ? 0 : asked;
    if (asked > MAX_LENGTH) throw new Error(`${kind}: still ${status} after ${asked} ms`);
  }
}

const HEAD = ['change', 'n', 'first', 'p50', 'p90', 'p99', 'p99.9', 'max'];

/** For each kind: the number of changes, how many were in force at the first request, and the times in milliseconds. */
export function lagTable(lags: readonly Lag[]): string {
  const kinds = [...new Set(lags.map(({ kind }) => kind))];
  const rows = [
    ...kinds.map((kind) =>
      line(
        kind,
        lags.filter((each) => each.kind === kind),
      ),
    ),
    line('all', lags),
  ];
  return [HEAD, ...rows]
    .map(
      ([first = '', ...rest]) => first.padEnd(16) + rest.map((cell) => cell.padStart(7)).join(''),
    )
    .join('\n');
}

function line(name: string, lags: readonly Lag[]): string[] {
  const sorted = lags.map(({ lag }) => lag).toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1);
  const first = sorted.filter((lag) => lag === 0).length;
  return [name, `${sorted.length}`, `${first}`, ...[0.5, 0.9, 0.99, 0.999, 1].map(at)];
}
