import type { Column } from '../registry/column';

/** How a key is written in a text: a regular expression for texts that can be one, and the type to cast them to. */
interface KeyText {
  readonly pattern: string | null;
  readonly cast: 'int8' | 'uuid' | 'text';
}

const NUMBER: KeyText = { pattern: '^-?[0-9]{1,18}$', cast: 'int8' };
const UUID: KeyText = { pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', cast: 'uuid' };
const TEXT: KeyText = { pattern: null, cast: 'text' };

function textOf({ type }: Column): KeyText {
  if (type === 'integer' || type === 'bigint') return NUMBER;
  return type === 'uuid' ? UUID : TEXT;
}

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
  const { pattern, cast } = textOf(column);
  const guard = pattern === null ? 'TRUE' : `${item} ~ '${pattern}'`;
  if (cast !== 'text') return { guard, equal: `${key} = ${item}::${cast}` };
  return { guard, equal: `${column.type === 'text' ? key : `${key}::text`} = ${item}` };
}
