import { inTurns } from '../../common/next-turn';
import type { Key } from '../hooks';
import type { Judged } from './judge';
import { AT_ONCE } from './plan';

/** How many characters of values one statement gets. */
const MAX_VALUES = 4_000_000;

/** Rows that set the same columns, with these columns. */
export function byColumns(
  rows: readonly Judged[],
): Iterable<readonly [readonly string[], Judged[]]> {
  const groups = new Map<string, readonly [readonly string[], Judged[]]>();
  for (const row of rows) {
    const names = [...row.sent.keys()].sort();
    const id = JSON.stringify(names);
    const [, group] = groups.get(id) ?? [names, []];
    group.push(row);
    groups.set(id, [names, group]);
  }
  return groups.values();
}

/** Rows that one statement stores. */
interface Chunk {
  readonly keys: Key[];
  /** Each row as a JSON object; the cell of the column at index 0 is named `c0`. */
  readonly texts: string[];
}

/** The rows as JSON, in as many parts as necessary. */
export async function chunksOf(
  rows: readonly Judged[],
  keyField: string,
  columns: readonly string[],
): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  let [chunk, size]: [Chunk, number] = [{ keys: [], texts: [] }, Infinity];
  await inTurns(rows, AT_ONCE, ({ key, sent }) => {
    const cells = columns.map((name, at) => [`c${at}`, name === keyField ? key : sent.get(name)]);
    const text = JSON.stringify(Object.fromEntries(cells));
    if (size + text.length > MAX_VALUES) {
      [chunk, size] = [{ keys: [], texts: [] }, 0];
      chunks.push(chunk);
    }
    chunk.keys.push(key);
    chunk.texts.push(text);
    size += text.length;
  });
  return chunks;
}
