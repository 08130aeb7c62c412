import { type Cell, type ScalarType, textOf, type Value } from '../../access';

/**
 * Turns what the driver returned into a canonical cell. Times, bigint and numeric arrive as text, in UTC.
 */
export function decodeCell(type: ScalarType, raw: unknown): Cell {
  if (raw === null || raw === undefined) return null;
  switch (type) {
    case 'timestamp':
      return decodeTimestamp(textOf(raw as Value));
    case 'time':
      return decodeTime(textOf(raw as Value));
    default:
      return raw as Value;
  }
}

/** `2024-05-06 07:08:09.12+00` → `2024-05-06T07:08:09.120Z`; every session runs in UTC. */
function decodeTimestamp(text: string): string {
  return `${text.slice(0, 10)}T${decodeTime(text.slice(11).replace(/[+-]\d\d(:?\d\d)?$/, ''))}Z`;
}

const decodeTime = (text: string): string =>
  `${text.slice(0, 8)}.${text.slice(9, 12).padEnd(3, '0')}`;

/** A cell as it is sent out: a bigint as a number where no digit is lost. */
export function presentCell(type: ScalarType, raw: unknown): Cell {
  const cell = decodeCell(type, raw);
  if (type !== 'bigint' || cell === null) return cell;
  const number = Number(cell);
  return Number.isSafeInteger(number) ? number : cell;
}
