import type { Column } from '../../registry/column';

/** The first and last whole numbers that JavaScript can tell from their neighbours. */
const [LEAST, MOST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

const asIs = (cell: string): string => `to_jsonb(${cell})`;
const asText = (cell: string): string => `to_jsonb(${cell}::text)`;
const asBigint = (cell: string): string =>
  `CASE WHEN ${cell} BETWEEN ${LEAST} AND ${MOST} THEN ${asIs(cell)} ELSE ${asText(cell)} END`;
/** The years that `decodeTimestamp` presents; every session runs in UTC. */
const asTimestamp = (cell: string): string =>
  `to_jsonb(CASE WHEN ${cell} >= '0001-01-01' AND ${cell} < '10000-01-01' THEN to_char(${cell}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ELSE ${cell}::text END)`;

/** By the column's type in the database. */
const SHORT: Readonly<Record<string, (cell: string) => string>> = {
  smallint: asIs,
  integer: asIs,
  boolean: asIs,
  uuid: asText,
  text: asText,
  'character varying': asText,
  date: asText,
};
const TIMESTAMPS = ['timestamp with time zone', 'timestamp without time zone'];
const WHOLE = ['smallint', 'integer'];

/**
 * The twin of `presentCell` in SQL, for a value that the log never cuts.
 * @param type the column's in the database: a table that existed before may have another than is declared
 * @returns undefined where PostgreSQL might write the value in another way
 */
export function recordedShort(column: Column, type = ''): ((cell: string) => string) | undefined {
  switch (column.type) {
    case 'integer':
    case 'boolean':
    case 'enum':
    case 'uuid':
    case 'date':
      return Object.hasOwn(SHORT, type) ? SHORT[type] : undefined;
    case 'bigint':
      return type === 'bigint' ? asBigint : WHOLE.includes(type) ? asIs : undefined;
    case 'timestamp':
      return TIMESTAMPS.includes(type) ? asTimestamp : undefined;
    default:
      return undefined;
  }
}
