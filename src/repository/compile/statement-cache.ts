import { LRUCache } from 'lru-cache';
import { textLength } from '../../common/text-length';
import type { Compiled } from './statement';

const STATEMENT_OVERHEAD = 500;
const VALUE_OVERHEAD = 50;
/** Characters: a longer statement takes so long to run that compiling it does not matter. */
const MAX_TEXT = 16_384;

/**
 * A cache of compiled statements by name.
 * @param maxSize bytes that the whole cache may use
 */
export const statementCache = <S extends Compiled>(maxSize: number): LRUCache<string, S> =>
  new LRUCache({
    maxSize,
    sizeCalculation: ({ text, values }, name) =>
      values.reduce<number>(
        (sum, value) => sum + VALUE_OVERHEAD + textLength(value),
        STATEMENT_OVERHEAD + text.length + name.length,
      ),
  });

export const isCacheable = ({ text }: Compiled): boolean => text.length <= MAX_TEXT;
