import { faultOfJson } from './json-text';

const TWICE = 'must not have a name twice in one object';

it.each([
  '{"a":1,"a":2}',
  '{"a":1, "b":[{"c":1,"c":1}]}',
  '{"a":{"b":1},"a" :{"b":1}}',
  String.raw`{"email":1,"\u0065mail":2}`,
  '{"__proto__":1,"__proto__":2}',
  '{"":1,"":2}',
  String.raw`{"\"":1,"\"":2}`,
])('%s has a name twice', (json) => {
  expect(faultOfJson(json)).toBe(TWICE);
});

it.each([
  '{}',
  '{"a":"a","b":"a"}',
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":2}]',
  '{"a":[{"a":1},{"a":2}],"b":["a","a"]}',
  String.raw`{"a":"\",\"a\":1","b":"{\"a\":1"}`,
  String.raw`{"a\\":1,"a":2}`,
])('%s has no name twice', (json) => {
  expect(faultOfJson(json)).toBeUndefined();
});

it.each([
  ['[', ']'],
  ['{"a":', '}'],
])('200 levels of %s are allowed, and one more is too deep', (begin, end) => {
  const nested = (levels: number): string =>
    `${begin.repeat(levels)}${begin === '[' ? '' : '1'}${end.repeat(levels)}`;
  expect(faultOfJson(nested(200))).toBeUndefined();
  expect(faultOfJson(nested(201))).toContain('200 levels');
  expect(faultOfJson(`[${Array(300).fill(nested(199)).join()}]`)).toBeUndefined();
});

it('reads a text of 1 MB quickly, whatever it contains', () => {
  const many = 300_000;
  expect(faultOfJson(`{"a":"${'x'.repeat(many)}"}`)).toBeUndefined();
  expect(faultOfJson(`{"a":"${String.raw`\"`.repeat(many)}"}`)).toBeUndefined();
  expect(faultOfJson(`[${'"a",'.repeat(many / 2)}"a"${' '.repeat(many)}]`)).toBeUndefined();
  expect(faultOfJson('['.repeat(many) + ']'.repeat(many))).toBeDefined();
});
