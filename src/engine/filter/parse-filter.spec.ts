import { parsing } from '../parsing.spec-support';
import { faultOf, inQuery, inRule, schema } from '../sample.spec-support';
import { openLookup } from '../rules/rule';
import type { FieldLookup } from '../schema/schema';
import { parseFilter } from './parse-filter';

const position = (filter: unknown, setting = inQuery): string => {
  const fault = faultOf(parsing(filter, setting));
  return `${fault.kind} ${fault.path.join('.')}`;
};
const json = (text: string): unknown => JSON.parse(text);

describe('a filter that is malformed', () => {
  it.each<[unknown, string]>([
    ['text', 'filter'],
    [1, 'filter'],
    [true, 'filter'],
    [[], 'filter'],
    [{ text: null }, 'filter.text'],
    [{ text: ['x'] }, 'filter.text'],
    [{ text: {} }, 'filter.text'],
    [{ text: { eq: 'x' } }, 'filter.text.eq'],
    [{ text: { _bogus: 'x' } }, 'filter.text._bogus'],
    [{ text: { constructor: 'x' } }, 'filter.text.constructor'],
    [{ text: { _EQ: 'x' } }, 'filter.text._EQ'],
    [{ text: { _and: [] } }, 'filter.text._and'],
    [{ _eq: 1 }, 'filter._eq'],
    [{ _not: {} }, 'filter._not'],
    [{ _and: {} }, 'filter._and'],
    [{ _and: null }, 'filter._and'],
    [{ _or: 'x' }, 'filter._or'],
    [{ _and: [null] }, 'filter._and.0'],
    [{ _and: [{}, [{}]] }, 'filter._and.1'],
    [{ _or: [{ _and: [{ integer: { _eq: 'x' } }] }] }, 'filter._or.0._and.0.integer._eq'],
    [{ text: { _eq: null } }, 'filter.text._eq'],
    [{ text: { _eq: ['x'] } }, 'filter.text._eq'],
    [{ text: { _in: 7 } }, 'filter.text._in'],
    [{ integer: { _in: '1,x' } }, 'filter.integer._in.1'],
    [{ text: { _in: { 0: 'x' } } }, 'filter.text._in'],
    [{ text: { _in: ['x', null] } }, 'filter.text._in.1'],
    [{ text: { _nin: [['x']] } }, 'filter.text._nin.0'],
    [{ integer: { _between: [1] } }, 'filter.integer._between'],
    [{ integer: { _between: [1, 2, 3] } }, 'filter.integer._between'],
    [{ integer: { _between: '1' } }, 'filter.integer._between'],
    [{ integer: { _between: [1, null] } }, 'filter.integer._between.1'],
    [{ integer: { _nbetween: ['x', 1] } }, 'filter.integer._nbetween.0'],
    [{ text: { _null: null } }, 'filter.text._null'],
    [{ text: { _null: 1 } }, 'filter.text._null'],
    [{ text: { _empty: 'yes' } }, 'filter.text._empty'],
    [{ text: { _nempty: [] } }, 'filter.text._nempty'],
    [{ text: { _contains: 1 } }, 'filter.text._contains'],
    [{ text: { _eq: 'a\u0000' } }, 'filter.text._eq'],
    [{ text: { _contains: '\ud800' } }, 'filter.text._contains'],
    [{ small: { _eq: 32768 } }, 'filter.small._eq'],
    [{ decimal: { _lt: '10000' } }, 'filter.decimal._lt'],
    [{ bigint: { _eq: 2 ** 53 } }, 'filter.bigint._eq'],
    [{ enum: { _in: ['draft', 'gone'] } }, 'filter.enum._in.1'],
    [{ uuid: { _eq: 'x' } }, 'filter.uuid._eq'],
    [{ date: { _gt: '2023-02-29' } }, 'filter.date._gt'],
    [{ timestamp: { _gt: '2024-01-01 12:00' } }, 'filter.timestamp._gt'],
    [{ integer: 'x' }, 'filter.integer._eq'],
    [{ json: 'x' }, 'filter.json._eq'],
    [{ 'year(timestamp)': 'x' }, 'filter.year(timestamp)._eq'],
    [{ parts: 'x' }, 'filter.parts'],
    [{ parts: { _some: 7 } }, 'filter.parts._some'],
    [{ 'year(timestamp)': { _eq: '2024-01-01' } }, 'filter.year(timestamp)._eq'],
    [{ 'year(timestamp)': { _contains: '2' } }, 'filter.year(timestamp)._contains'],
    [{ 'year(timestamp)': {} }, 'filter.year(timestamp)'],
    [{ 'year(text)': { _eq: 1 } }, 'filter.year(text)'],
    [{ 'hour(date)': { _eq: 1 } }, 'filter.hour(date)'],
    [{ 'year(time)': { _eq: 1 } }, 'filter.year(time)'],
    [{ 'bogus(timestamp)': { _eq: 1 } }, 'filter.bogus(timestamp)'],
    [{ 'count(text)': { _eq: 1 } }, 'filter.count(text)'],
    [{ 'count(parts)': { name: { _eq: 'x' } } }, 'filter.count(parts).name'],
  ])('%j is refused at %s', (filter, where) => {
    expect(position(filter)).toBe(`malformed ${where}`);
  });

  it('has a path that begins where the caller says', () => {
    const fault = faultOf(() =>
      parseFilter({ text: [1] }, 'things', inQuery, ['deep', 'parts', '_filter']),
    );
    expect(fault.path).toEqual(['deep', 'parts', '_filter', 'text']);
    expect(fault.message).toBe('deep.parts._filter.text: must be an object');
  });

  it('accepts an empty _in anywhere, and an empty _nin only in a query', () => {
    expect(parseFilter({ id: { _in: [] } }, 'things', inRule)).toEqual({ kind: 'or', of: [] });
    expect(parseFilter({ id: { _nin: [] } }, 'things', inQuery)).toEqual({ kind: 'and', of: [] });
    expect(position({ _or: [{ id: { _nin: [] } }] }, inRule)).toBe(
      'malformed filter._or.0.id._nin',
    );
  });
});

describe('a list in a query string', () => {
  it.each<[unknown, unknown]>([
    [{ text: { _in: 'a,b' } }, { text: { _in: ['a', 'b'] } }],
    [{ text: { _nin: 'a' } }, { text: { _nin: ['a'] } }],
    [{ integer: { _between: '1,2' } }, { integer: { _between: ['1', '2'] } }],
    [
      { timestamp: { _between: '$NOW(-1 day),$NOW' } },
      { timestamp: { _between: ['$NOW(-1 day)', '$NOW'] } },
    ],
    [{ uuid: { _in: '$CURRENT_ROLES' } }, { uuid: { _in: ['$CURRENT_ROLES'] } }],
    [{ timestamp: { _in: '$NOW,2021-05-05' } }, { timestamp: { _in: ['$NOW', '2021-05-05'] } }],
    [
      { timestamp: { _nin: '$NOW(-1 day),$NOW' } },
      { timestamp: { _nin: ['$NOW(-1 day)', '$NOW'] } },
    ],
  ])('%j may be separated by commas', (text, list) => {
    expect(parsing(text)()).toEqual(parsing(list)());
  });

  it('is malformed in a rule', () => {
    expect(position({ text: { _in: 'a,b' } }, inRule)).toBe('malformed filter.text._in');
    expect(position({ integer: { _between: '1,2' } }, inRule)).toBe(
      'malformed filter.integer._between',
    );
  });
});

describe('a name that may not be named', () => {
  const open = openLookup(schema);
  const dark: FieldLookup = {
    key: (name) => (name === 'parts' ? undefined : open.key(name)),
    field: (name, field) =>
      name === 'parts' || field === 'text' ? undefined : open.field(name, field),
  };
  const setting = { lookup: dark, position: 'query' } as const;

  it.each<[string, (name: string) => unknown]>([
    ['as a field', (name) => ({ [name]: { _eq: 'x' } })],
    ['with an operator that is not admitted', (name) => ({ [name]: { _bogus: 'x' } })],
    ['with no operator', (name) => ({ [name]: {} })],
    ['with a value for an operator', (name) => ({ [name]: 'x' })],
    ['in _or', (name) => ({ _or: [{}, { [name]: { _null: true } }] })],
    ['in a function', (name) => ({ [`year(${name})`]: { _eq: 1 } })],
    ['in an unknown function', (name) => ({ [`wrong(${name})`]: { _eq: 1 } })],
    ['behind a relation', (name) => ({ owner: { things: { _none: { [name]: { _eq: 'x' } } } } })],
    ['as if it were a relation', (name) => ({ [name]: { id: { _eq: 1 } } })],
  ])('%s: hidden, concealed and unknown get the same fault', (_, filter) => {
    const [hidden, concealed, unknown] = ['text', 'secret', 'bogus'].map((name) => {
      const fault = faultOf(parsing(filter(name), setting));
      return [fault.kind, fault.message, fault.path, fault.subject].map((part) =>
        JSON.stringify(part).replaceAll(new RegExp(`\\b${name}\\b`, 'g'), '?'),
      );
    });
    expect(hidden).toEqual(unknown);
    expect(concealed).toEqual(unknown);
    expect(unknown).toContain('"hidden"');
  });

  it.each<[unknown, object]>([
    [
      { bogus: { _eq: 1 } },
      { path: ['filter', 'bogus'], subject: { collection: 'things', field: 'bogus' } },
    ],
    [
      { parts: { _some: { _and: [{ name: { _eq: 'x' } }] } } },
      {
        path: ['filter', 'parts', '_some', '_and', '0', 'name'],
        subject: { collection: 'parts', field: 'name' },
      },
    ],
    [
      { parts: { name: { _eq: 'x' } } },
      { path: ['filter', 'parts', 'name'], subject: { collection: 'parts', field: 'name' } },
    ],
    [{ '': { _eq: 1 } }, { path: ['filter', ''], subject: { collection: 'things', field: '' } }],
  ])('%j is refused with its path and the name', (filter, expected) => {
    expect(faultOf(parsing(filter, setting))).toMatchObject({ kind: 'hidden', ...expected });
  });

  it.each([{ parts: { _some: {} } }, { parts: { _none: {} } }, { parts: { _and: [] } }])(
    '%j names nothing hidden: its target is empty',
    (filter) => expect(parsing(filter, setting)).not.toThrow(),
  );

  it('allows additional names only on the root collection', () => {
    const secret = schema.get('things')?.fields.get('secret');
    const also = { ...inRule, alsoNamed: new Map(secret ? [['secret', secret]] : []) };
    expect(parsing({ secret: { _nnull: true } }, also)).not.toThrow();
    expect(parsing({ _or: [{ secret: { _nnull: true } }] }, also)).not.toThrow();
    expect(position({ parts: { secret: { _nnull: true } } }, also)).toBe(
      'hidden filter.parts.secret',
    );
    expect(position({ owner: { things: { secret: { _nnull: true } } } }, also)).toBe(
      'hidden filter.owner.things.secret',
    );
  });
});

describe('names that every object has', () => {
  it.each([
    ['{"__proto__": {"admin": true}}', 'malformed filter.__proto__'],
    ['{"constructor": {"prototype": {"admin": true}}}', 'hidden filter.constructor'],
    ['{"toString": {"_eq": 1}}', 'hidden filter.toString'],
    ['{"text": {"__proto__": "x"}}', 'malformed filter.text.__proto__'],
    ['{"owner": {"__proto__": {}}}', 'malformed filter.owner.__proto__'],
    ['{"parts": {"_some": {"constructor": {"_eq": 1}}}}', 'hidden filter.parts._some.constructor'],
    ['{"constructor(timestamp)": {"_eq": 1}}', 'malformed filter.constructor(timestamp)'],
  ])('%s are names like any other', (text, where) => {
    expect(position(json(text))).toBe(where);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });
});
