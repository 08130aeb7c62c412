import { AppError } from './define-error';

/**
 * The same error, saying which item of a list in the body it is about. It is a copy: a team may throw one error many
 * times.
 * @param item its position, from 0; a detail of this name that the error has already stays
 */
export function withItem<E extends AppError>(error: E, item: number): E {
  const details = { value: { item, ...error.details }, enumerable: true };
  const own = { ...Object.getOwnPropertyDescriptors(error), details };
  return Object.create(Object.getPrototypeOf(error) as object, own) as E;
}
