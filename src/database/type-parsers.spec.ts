import { typeParsers, weighingParsers } from './type-parsers';

const TEXT_ARRAY = 1009;

describe('a list of texts', () => {
  it.each<[string, readonly (string | null)[]]>([
    ['{}', []],
    ['{a}', ['a']],
    ['{a,b,c}', ['a', 'b', 'c']],
    ['{*,first_name,null}', ['*', 'first_name', 'null']],
    ['{a,NULL}', ['a', null]],
    ['{NULL}', [null]],
    ['{"NULL",a}', ['NULL', 'a']],
    ['{"",a}', ['', 'a']],
    ['{"a,b","c d"}', ['a,b', 'c d']],
    ['{"{a}","\\"","\\\\"}', ['{a}', '"', '\\']],
    ['[0:1]={a,b}', ['a', 'b']],
  ])('%s', (text, texts) => {
    expect(typeParsers.getTypeParser(TEXT_ARRAY)(text)).toEqual(texts);
  });

  it('may contain lists', () => {
    expect(typeParsers.getTypeParser(TEXT_ARRAY)('{{a,b},{c,d}}')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });
});

describe('the weight of values', () => {
  const weightOf = (oid: number, text: string): number => {
    let weight = 0;
    const parsers = weighingParsers((characters) => (weight += characters));
    expect(parsers.getTypeParser(oid)(text)).toEqual(typeParsers.getTypeParser(oid)(text));
    return weight;
  };

  it.each([
    ...[['text', 25, 'abc'] as const, ['jsonb', 3802, '"a"'] as const],
    ...[['numeric', 1700, '1.5'] as const, ['bytea', 17, '\\x0'] as const],
    ...[['boolean[]', 1000, '{t}'] as const, ['integer[]', 1007, '{1}'] as const],
    ...[['bigint[]', 1016, '{1}'] as const, ['real[]', 1021, '{1}'] as const],
    ...[['double precision[]', 1022, '{1}'] as const, ['numeric[]', 1231, '{1}'] as const],
    ...[['a type of an extension', 70_000, 'abc'] as const],
  ])('is the length of %s', (_, oid, text) => {
    expect(weightOf(oid, text)).toBe(3);
  });

  it.each([
    ['jsonb', 3802, '[{}, [1]]', 3],
    ['json', 114, '[]', 1],
    ['jsonb[]', 3807, '{1}', 1],
  ])('is more for the objects and lists in %s, which take more memory', (_, oid, text, nested) => {
    expect(weightOf(oid, text)).toBe(text.length + 16 * nested);
  });

  it.each([
    ['boolean', 16, 't'],
    ['integer', 23, '12'],
    ['bigint', 20, '12'],
    ['double precision', 701, '1.5'],
    ['timestamptz', 1184, '2024-02-29 12:00:00+00'],
  ])('is nothing for %s', (_, oid, text) => {
    expect(weightOf(oid, text)).toBe(0);
  });
});
