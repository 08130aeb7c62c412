import { type Cell, textOf } from '../../../src/engine';
import { shapesOf } from '../tables';
import type { SeenRow } from './seen';

/** Whether a text contains the term in any case, or an integer or uuid equals it. */
export function isFound(search: string | null, collection: string, row: SeenRow): boolean {
  if (search === null || search === '') return true;
  const term = search.toLowerCase();
  return shapesOf(collection).some((field) => {
    const cell: Cell = field.kind === 'column' ? (row.cells[field.name] ?? null) : null;
    if (cell === null || field.kind !== 'column' || field.concealed) return false;
    if (field.type === 'text' || field.type === 'enum')
      return textOf(cell).toLowerCase().includes(term);
    if (field.type === 'uuid') return cell === term;
    return (
      (field.type === 'integer' || field.type === 'bigint') &&
      /^-?\d+$/.test(search) &&
      BigInt(search) === BigInt(textOf(cell))
    );
  });
}
