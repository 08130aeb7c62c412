import type { Column } from '../registry/column';

/** How a key is written in a text. */
interface KeyText {
  /** A regular expression for texts that can be one. */
  readonly pattern: string;
  /** Such a text as a key, as SQL. */
  readonly read: (item: string) => string;
}

const KEY_TEXTS: Readonly<Partial<Record<Column['type'], KeyText>>> = {
  integer: { pattern: '^-?[0-9]{1,18}$', read: (item) => `${item}::int8` },
  bigint: {
    pattern: '^-?[0-9]{1,19}$',
    // Some numbers of 19 digits are too great.
    read: (item) => `CASE WHEN abs(${item}::numeric) <= 9223372036854775807 THEN ${item}::int8 END`,
  },
  uuid: {
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    read: (item) => `${item}::uuid`,
  },
};

/**
 * Compares a key with a text such that an index on the key can be used: the condition under which the text can be a
 * key, and the comparison, in which no other text is ever cast.
 * @param key the column of the key, as SQL
 * @param item the text, as SQL
 */
export function keyAsText(
  column: Column,
  key: string,
  item: string,
): { readonly guard: string; readonly equal: string } {
  const text = KEY_TEXTS[column.type];
  if (text) return { guard: `${item} ~ '${text.pattern}'`, equal: `${key} = ${text.read(item)}` };
  return { guard: 'TRUE', equal: `${column.type === 'text' ? key : `${key}::text`} = ${item}` };
}
