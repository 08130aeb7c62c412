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
 * The condition under which a text is a key, where no text that is none is ever cast to one; and the two compared so
 * that an index of the key serves.
 * @param key the key's column and @param item the text, as they stand in the statement
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
