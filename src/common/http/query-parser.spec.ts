import { parseQueryString } from './query-parser';

describe('a query string', () => {
  it.each<[string, object]>([
    ['', {}],
    ['&', {}],
    ['a=b&', { a: 'b' }],
    ['a', { a: '' }],
    ['a[]=b&a[]=c', { a: ['b', 'c'] }],
    ['a%5Bb%5D%5b_eq%5d=c', { a: { b: { _eq: 'c' } } }],
    ['a[b.c][d(e)]=f', { a: { 'b.c': { 'd(e)': 'f' } } }],
    ['$a.b-c[$d]=e', { '$a.b-c': { $d: 'e' } }],
    ['a[é b]=c&%C3%A9+b=d', { a: { 'é b': 'c' }, 'é b': 'd' }],
    ['a={"b":{"_in":["c",["d"]]}}', { a: '{"b":{"_in":["c",["d"]]}}' }],
    ['a==b', { a: '=b' }],
  ])('%j is read as %j', (text, read) => {
    expect(JSON.parse(JSON.stringify(parseQueryString(text)))).toEqual(read);
  });

  it.each<[string, string | undefined]>([
    ['a[b]_neq=c', 'a'],
    ['a[b]c[_eq]=d', 'a'],
    ['a[b]%20=c', 'a'],
    ['a[b=c', 'a'],
    ['a]=c', 'a'],
    ['a[b]]=c', 'a'],
    ['a[[b]]=c', 'a'],
    ['x=y&a[b]_neq', 'a'],
    ['[a]=b', undefined],
    ['=a', undefined],
    ['a=b&=c', undefined],
    ['=a]=b', undefined],
  ])('%j is refused, naming %j', (text, field) => {
    let fault: unknown;
    try {
      parseQueryString(text);
    } catch (error) {
      fault = error;
    }
    expect(fault).toMatchObject({ code: 'INVALID_QUERY', details: { reason: expect.any(String) } });
    expect((fault as { details: { field?: string } }).details.field).toBe(field);
  });
});
