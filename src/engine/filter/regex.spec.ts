import { isLinearPattern, matchesPattern } from './regex';

describe('patterns', () => {
  it.each([
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['^a.*c$', 'abc', true],
    ['', '', true],
    ['(?i)B', 'abc', true],
    ['^.$', '\u{1f600}', true],
    ['^[^@]+@example\\.com$', 'anna@example.com', true],
    ['^[^@]+@example\\.com$', 'anna@example.com.evil', false],
  ])('%j finds itself in %j: %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  it('finishes quickly for a pattern whose running time explodes in other engines', () => {
    expect(isLinearPattern('(a+)+$')).toBe(true);
    expect(matchesPattern('(a+)+$', `${'a'.repeat(5000)}!`)).toBe(false);
  });
});
