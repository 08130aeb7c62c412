import { parsing } from '../parsing.spec-support';
import { faultOf, inQuery } from '../sample.spec-support';
import { FILTER_LIMITS, FilterSize } from './filter-size';
import { parseFilter } from './parse-filter';

describe('a filter that is too big', () => {
  const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
    let filter: unknown = {};
    for (let level = 0; level < levels; level++) filter = wrap(filter);
    return filter;
  };
  const many = (count: number): unknown[] =>
    Array.from({ length: count }, () => ({ id: { _eq: 1 } }));
  const wide = (): unknown =>
    Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`count(x${at})`, 1]));

  it.each<[string, () => unknown, RegExp]>([
    [
      '_and 10,000 deep',
      () => nested(10_000, (inner) => ({ _and: [inner] })),
      /^filter\._and.*nested deeper than 30$/,
    ],
    [
      '_or 10,000 deep',
      () => nested(10_000, (inner) => ({ _or: [inner] })),
      /nested deeper than 30$/,
    ],
    [
      'a to-one 10,000 deep',
      () => ({ owner: nested(10_000, (inner) => ({ boss: inner })) }),
      /nested deeper than 30$/,
    ],
    [
      'a to-many 10,000 deep',
      () => nested(10_000, (inner) => ({ parts: { _none: { thing: inner } } })),
      /nested deeper/,
    ],
    [
      '_in of a million',
      () => ({ id: { _in: Array.from({ length: 1_000_000 }, () => 1) } }),
      /at most 10000 members$/,
    ],
    [
      'a million in lists together',
      () => ({
        _or: Array.from({ length: 100 }, () => ({
          id: { _in: Array.from({ length: 10_000 }, () => 1) },
        })),
      }),
      /: has, together with the other lists, more than 10000 values$/,
    ],
    [
      '_or of a million',
      () => ({ _or: many(1_000_000) }),
      /is one too many: filters may have 1000 members in all$/,
    ],
    ['a hundred thousand unknown fields', wide, /does not exist or may not be named$/],
  ])('%s is refused before all of it is read', (_, make, message) => {
    let asked = 0;
    const field = (collection: string, name: string) => {
      asked += 1;
      return inQuery.lookup.field(collection, name);
    };
    const setting = { ...inQuery, lookup: { ...inQuery.lookup, field } };
    expect(faultOf(parsing(make(), setting)).message).toMatch(message);
    expect(asked).toBeLessThanOrEqual(FILTER_LIMITS.nodes);
  });

  it('is not one with 400 alternatives, 10,000 members and a few levels', () => {
    const list = Array.from({ length: 10_000 }, (_, at) => at);
    const filter = {
      _or: [...many(400), { id: { _in: list } }, nested(10, (inner) => ({ _and: [inner] }))],
    };
    expect(parsing(filter)).not.toThrow();
  });

  it('counts together with the other filters of a query', () => {
    const size = new FilterSize();
    const one = { id: { _in: Array.from({ length: 4_000 }, (_, at) => at) } };
    const parse = (): unknown => parseFilter(one, 'things', { ...inQuery, size });
    parse();
    parse();
    expect(parse).toThrow(/more than 10000 values/);
  });
});
