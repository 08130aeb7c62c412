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

  it('takes no longer for a pattern that explodes elsewhere', () => {
    expect(isLinearPattern('(a+)+$')).toBe(true);
    const started = performance.now();
    expect(matchesPattern('(a+)+$', `${'a'.repeat(5000)}!`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
