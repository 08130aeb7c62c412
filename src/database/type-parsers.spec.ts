import { typeParsers } from './type-parsers';

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
