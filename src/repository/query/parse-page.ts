import { malformed } from '../../engine';
import type { Meta, RawQuery } from './query';
import type { QueryLimits } from './query-setting';

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/**
 * How many rows, and from which one on; if `page` and `offset` are both given, the offset counts. @throws AccessFault
 */
export function parsePage(raw: RawQuery, limits: QueryLimits): Page {
  const requested = parseInteger(raw['limit'], 'limit', -1) ?? limits.defaultLimit;
  if (requested > limits.maxLimit) throw malformed(['limit'], `must be at most ${limits.maxLimit}`);
  const limit = requested === -1 ? limits.maxLimit : requested;
  const page = parseInteger(raw['page'], 'page', 1);
  const offset = parseInteger(raw['offset'], 'offset', 0);
  return { limit, offset: offset ?? ((page ?? 1) - 1) * limit };
}

/** What a query can say without naming anything of the collection: the page, and what is counted. @throws AccessFault */
export function parseShape(raw: RawQuery, limits: QueryLimits): { page: Page; meta: Meta } {
  return { page: parsePage(raw, limits), meta: parseMeta(raw['meta']) };
}

/** The greatest page, and the greatest offset. */
export const MAX_NUMBER = 1_000_000_000;

function parseInteger(raw: unknown, name: string, least: number): number | undefined {
  if (raw === undefined || raw === null) return undefined;
  const value = typeof raw === 'string' && /^-?\d{1,10}$/.test(raw) ? Number(raw) : raw;
  if (
    typeof value !== 'number' ||
    !Number.isInteger(value) ||
    value < least ||
    value > MAX_NUMBER
  ) {
    throw malformed([name], `must be a whole number from ${least} to ${MAX_NUMBER}`);
  }
  return value;
}

const META: Readonly<Record<string, Meta>> = {
  total_count: { total: true, filtered: false },
  filter_count: { total: false, filtered: true },
  '*': { total: true, filtered: true },
};

/** Reads which numbers of items are requested: `total_count`, `filter_count` or `*`. @throws AccessFault */
export function parseMeta(raw: unknown): Meta {
  if (raw === undefined || raw === null || raw === '') return { total: false, filtered: false };
  const parts: unknown[] = (Array.isArray(raw) ? raw : [raw]).flatMap((part: unknown) =>
    typeof part === 'string' ? part.split(',') : [part],
  );
  return parts.reduce<Meta>(
    (meta, part) => {
      const counts =
        typeof part === 'string' && Object.hasOwn(META, part.trim())
          ? META[part.trim()]
          : undefined;
      if (!counts) throw malformed(['meta'], 'must be total_count, filter_count or *');
      return { total: meta.total || counts.total, filtered: meta.filtered || counts.filtered };
    },
    { total: false, filtered: false },
  );
}
