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
  ])('%j matches %j: %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  it('finish quickly even where other engines take exponential time', () => {
    expect(isLinearPattern('(a+)+$')).toBe(true);
    expect(matchesPattern('(a+)+$', `${'a'.repeat(5000)}!`)).toBe(false);
  });
});
