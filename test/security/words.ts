/** The table and the columns that attacks by names target. */
interface Target {
  readonly table: string;
  /** Another table, which is no collection. */
  readonly other: string;
  /** A field that is hidden. */
  readonly hidden: string;
  readonly text: string;
  /** A list or an object. */
  readonly json: string;
  readonly relation: string;
  readonly list: string;
}

/** SQL, and names that only SQL knows; none of them is a field. */
export const sqlNames = ({
  table,
  other,
  hidden,
  text,
  json,
  relation,
  list,
}: Target): string[] => [
  'id"',
  `id"; DROP TABLE ${table}; --`,
  `id'; DROP TABLE ${table}; --`,
  `id) FROM ${table}; DELETE FROM ${other}; --`,
  'id::text',
  'id as x',
  `(SELECT ${hidden} FROM ${table} LIMIT 1)`,
  `${json}->>0`,
  `${json}#>>'{a}'`,
  `${json}.a`,
  `${json}:a`,
  `t0.${hidden}`,
  `"t0"."${hidden}"`,
  `${table}.${hidden}`,
  `public.${table}`,
  other,
  'pg_sleep(9)',
  `lower(${text})`,
  `year(${text})`,
  `count(${list}`,
  '$1',
  '$1::text',
  '$key',
  '$parent',
  '$row 0',
  'f0',
  'l0',
  `$link ${relation}`,
  `rel_${relation}`,
  `${text}_func`,
  'id\u0000',
  text.toUpperCase(),
  `${text[0]}\u200d${text.slice(1)}`,
  '__typename',
];

/** Names that every object of JavaScript has. */
export const OBJECT_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];
