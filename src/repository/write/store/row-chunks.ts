import { inTurns } from '../../../common/next-turn';
import type { Key } from '../../write-context';
import type { Judged } from '../judge/judged';
import { ROWS_PER_TURN } from '../plan/plan';

/** How many characters of values one statement gets. */
const MAX_VALUES = 4_000_000;

/** Rows that set the same columns, with these columns. */
export function byColumns(
  rows: readonly Judged[],
): Iterable<readonly [readonly string[], Judged[]]> {
  const groups = new Map<string, readonly [readonly string[], Judged[]]>();
  let last: { readonly names: readonly string[]; readonly group: Judged[] } | undefined;
  for (const row of rows) {
    // Most rows name the same columns in the same order as the one before.
    if (!last || !hasNames(row, last.names)) {
      const names = [...row.values.keys()];
      const sorted = names.toSorted();
      const id = JSON.stringify(sorted);
      const [, group] = groups.get(id) ?? [sorted, []];
      groups.set(id, [sorted, group]);
      last = { names, group };
    }
    last.group.push(row);
  }
  return groups.values();
}

function hasNames({ values }: Judged, names: readonly string[]): boolean {
  if (values.size !== names.length) return false;
  let at = 0;
  for (const name of values.keys()) if (name !== names[at++]) return false;
  return true;
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
  const cellNames = columns.map((_, at) => `c${at}`);
  let [chunk, size]: [Chunk, number] = [{ keys: [], texts: [] }, Infinity];
  await inTurns(rows, ROWS_PER_TURN, ({ key, values }) => {
    const cells: Record<string, unknown> = {};
    let at = 0;
    for (const name of columns)
      cells[cellNames[at++] ?? ''] = name === keyField ? key : values.get(name);
    const text = JSON.stringify(cells);
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
