import type { Cell } from '../../../src/engine';
import { MARKS, shapesOf } from '../tables';
import type { Contents } from '../world';

/** What is left when rows go; nothing where a row that stays refers to one of them. */
export function withoutRows(
  rows: Contents,
  collection: string,
  keys: readonly Cell[],
): Contents | undefined {
  const kept = (rows[collection] ?? []).filter((row) => !keys.includes(row['id'] ?? null));
  const left = { ...rows, [collection]: kept };
  const referring = Object.keys(rows).filter((name) => name !== MARKS.name);
  if (referring.some((name) => refers(left, name, collection, keys))) return undefined;
  return { ...left, [MARKS.name]: remainingMarks(rows, collection, keys) };
}

const referencesOf = (name: string, collection: string): string[] =>
  shapesOf(name)
    .filter((field) => field.kind === 'to-one' && field.target === collection)
    .map((field) => field.name);

const refers = (rows: Contents, name: string, collection: string, keys: readonly Cell[]): boolean =>
  referencesOf(name, collection).some((field) =>
    (rows[name] ?? []).some((row) => row[field] !== null && keys.includes(row[field] ?? null)),
  );

/** The links that the ORM keeps go with the rows. */
const remainingMarks = (rows: Contents, collection: string, keys: readonly Cell[]) =>
  (rows[MARKS.name] ?? []).filter(
    (row) => !referencesOf(MARKS.name, collection).some((side) => keys.includes(row[side] ?? null)),
  );
