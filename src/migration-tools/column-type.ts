import type { TableColumn } from 'typeorm';

/** The SQL type of a column whose elements have this type. */
export const withArray = ({ isArray }: TableColumn, type: string): string =>
  `${type}${isArray ? '[]' : ''}`;

export const isEnum = ({ type }: TableColumn): boolean => type === 'enum';

/** Whether both have the same type, whatever the order of an enum's words. */
export const isOfType = (one: TableColumn, other: TableColumn): boolean =>
  one.type === other.type &&
  one.length === other.length &&
  one.isArray === other.isArray &&
  (one.precision ?? undefined) === (other.precision ?? undefined) &&
  (one.scale ?? undefined) === (other.scale ?? undefined) &&
  one.enumName === other.enumName &&
  hasWords(one, other.enum ?? []) &&
  hasWords(other, one.enum ?? []);

const hasWords = (column: TableColumn, words: readonly string[]): boolean =>
  words.every((word) => column.enum?.includes(word));

/** The stored column with the type of another, and without a default, which belonged to the old type. */
export function withTypeOf(
  wanted: TableColumn,
  stored: TableColumn,
  isArray = wanted.isArray,
): TableColumn {
  const { type, length, precision, scale, enum: words, enumName } = wanted;
  const column = stored.clone();
  return Object.assign(column, {
    type,
    length,
    precision,
    scale,
    enum: words,
    enumName,
    isArray,
    default: undefined,
    ...(wanted.generatedIdentity === undefined && { generatedIdentity: undefined }),
  });
}
