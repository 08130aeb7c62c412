import type { Caller } from '../../../engine';

/** Whether an error may name these fields of the collection to the caller: those who may read all of them know of them. */
export const mayName = (
  collection: string,
  fields: readonly string[],
  { readable }: Pick<Caller, 'readable'>,
): boolean =>
  readable.key(collection) !== undefined &&
  fields.every((field) => readable.field(collection, field) !== undefined);
