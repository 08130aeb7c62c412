import { withItem } from '../../common/errors';
import { mapRefusal } from './judge/map-refusal';

/**
 * Does work about one item of a request; its errors say which one.
 * @param item its position in the list that was sent, from 0; undefined where none was
 */
export function aboutItem<T>(item: number | undefined, work: () => T): T {
  if (item === undefined) return work();
  const name = (error: unknown): never => {
    throw mapRefusal(error, (one) => withItem(one, item));
  };
  try {
    const worked = work();
    // Of a thousand rows most have nothing to await.
    return worked instanceof Promise ? (worked.catch(name) as T) : worked;
  } catch (error) {
    return name(error);
  }
}

/** Of a list of one there is no need to say which. */
export const positionIn = (list: readonly unknown[], index: number): number | undefined =>
  list.length > 1 ? index : undefined;
