import { type Cell, type ColumnType, type ScalarType, textOf, type Value } from '../../engine';

/** The type of a cell, and for a list the type of its members. */
type CellType = Pick<ColumnType, 'type' | 'element'>;

/**
 * Turns what the driver returned into a canonical cell. Times, bigint and numeric arrive as text, in UTC.
 */
export function decodeCell(column: CellType, raw: unknown): Cell {
  if (raw === null || raw === undefined) return null;
  switch (column.type) {
    case 'timestamp':
      return decodeTimestamp(textOf(raw as Value));
    case 'time':
      return decodeTime(textOf(raw as Value));
    case 'array':
      return membersOf(column, raw, decodeCell);
    default:
      return raw as Value;
  }
}

/** A list in the database may hold NULL and nested lists; these stay as the driver returns them. */
function membersOf(
  { element = 'text' }: CellType,
  raw: unknown,
  read: (column: CellType, raw: unknown) => Cell,
): Cell {
  if (!Array.isArray(raw) || !CONVERTED.includes(element)) return raw as Value;
  return raw.map((member: unknown) =>
    Array.isArray(member) ? (member as Value) : read({ type: element }, member),
  );
}

/** Types whose values the driver returns in another form than answers have. */
const CONVERTED: readonly ScalarType[] = [
  'timestamp',
  'time',
  ...(['integer', 'bigint', 'decimal', 'double'] as const),
];

/**
 * `2024-05-06 07:08:09.12+00` → `2024-05-06T07:08:09.120Z`; every session runs in UTC. Values that only other programs
 * can store, such as `infinity` or a year before the first, stay unchanged.
 */
function decodeTimestamp(text: string): string {
  if (text[4] !== '-' || text.endsWith('BC')) return text;
  return `${text.slice(0, 10)}T${decodeTime(text.slice(11).replace(/[+-]\d\d(:?\d\d)?$/, ''))}Z`;
}

const decodeTime = (text: string): string =>
  `${text.slice(0, 8)}.${text.slice(9, 12).padEnd(3, '0')}`;

/**
 * A cell as it is answered: a bigint as a number where no digit is lost; NaN and infinite numbers, which JSON lacks, as
 * null. A table that existed before may store numbers in another type than the field's.
 */
export function presentCell(column: CellType, raw: unknown): Cell {
  if (column.type === 'array' && Array.isArray(raw)) return membersOf(column, raw, presentCell);
  if (typeof raw === 'number') {
    if (!Number.isFinite(raw)) return null;
    return column.type === 'decimal' ? String(raw) : raw;
  }
  const cell = decodeCell(column, raw);
  return typeof cell === 'string' ? presentText(column.type, cell) : cell;
}

function presentText(type: ScalarType, cell: string): Cell {
  switch (type) {
    case 'integer':
    case 'bigint': {
      const number = Number(cell);
      return Number.isSafeInteger(number) ? number : cell;
    }
    case 'double': {
      const number = Number(cell);
      return Number.isFinite(number) ? number : null;
    }
    default:
      return cell;
  }
}
