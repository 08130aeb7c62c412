import { AccessFault } from '../engine';
import { matchesEmailFilter, parseEmailFilter } from './email-filter';

/** For each operator: an operand, an address that meets it and one that does not. */
const OPERATORS: readonly (readonly [string, unknown, string, string])[] = [
  ['_eq', 'ann@example.com', 'Ann@Example.com', 'bob@example.com'],
  ['_neq', 'ann@example.com', 'bob@example.com', 'ANN@example.com'],
  ['_lt', 'b', 'ann@example.com', 'bob@example.com'],
  ['_lte', 'b', 'ann@example.com', 'bob@example.com'],
  ['_gt', 'b', 'bob@example.com', 'ann@example.com'],
  ['_gte', 'b', 'bob@example.com', 'ann@example.com'],
  ['_in', ['ann@example.com'], 'ann@example.com', 'bob@example.com'],
  ['_nin', ['ann@example.com'], 'bob@example.com', 'ANN@EXAMPLE.COM'],
  ['_null', false, 'ann@example.com', ''],
  ['_nnull', true, 'ann@example.com', ''],
  ['_empty', false, 'ann@example.com', ''],
  ['_nempty', true, 'ann@example.com', ''],
  ['_contains', '@example.', 'ann@EXAMPLE.com', 'ann@example2.com'],
  ['_ncontains', '@example.', 'ann@example2.com', 'ann@EXAMPLE.com'],
  ['_icontains', '@EXAMPLE.', 'ann@example.com', 'ann@example2.com'],
  ['_nicontains', '@EXAMPLE.', 'ann@example2.com', 'ann@example.com'],
  ['_starts_with', 'ann', 'ann@example.com', 'bob@example.com'],
  ['_nstarts_with', 'ann', 'bob@example.com', 'ANN@example.com'],
  ['_istarts_with', 'ANN', 'ann@example.com', 'bob@example.com'],
  ['_nistarts_with', 'ANN', 'bob@example.com', 'ann@example.com'],
  ['_ends_with', '@example.com', 'ann@EXAMPLE.com', 'ann@example.com.evil'],
  ['_nends_with', '@evil.com', 'ann@example.com', 'ann@EVIL.com'],
  ['_iends_with', '@EXAMPLE.com', 'ann@example.com', 'ann@example.org'],
  ['_niends_with', '@EVIL.com', 'ann@example.com', 'ann@evil.com'],
  ['_between', ['a', 'b'], 'ann@example.com', 'cid@example.com'],
  ['_nbetween', ['a', 'b'], 'cid@example.com', 'ann@example.com'],
  // The filter ignores case, as addresses do.
  ['_eq', 'Ann@Example.com', 'ann@example.com', 'bob@example.com'],
  ['_neq', 'Ann@example.com', 'bob@example.com', 'ann@example.com'],
  ['_nin', ['ANN@example.com'], 'bob@example.com', 'ann@example.com'],
  ['_ncontains', 'Evil', 'ann@example.com', 'ann@evil.com'],
  ['_nends_with', '@Evil.com', 'ann@example.com', 'ann@Evil.com'],
  ['_ends_with', '@Corp.com', 'ann@corp.com', 'ann@evil.com'],
  ['_between', ['A', 'B'], 'ann@example.com', 'cid@example.com'],
  ['_regex', '^[a-z]+@example[.]com$', 'ANN@example.com', 'ann7@example.com'],
];

describe('the filter on addresses that may register', () => {
  it.each(OPERATORS)('supports %s', (operator, operand, met, unmet) => {
    const filter = { email: { [operator]: operand } };
    expect(matchesEmailFilter(filter, met)).toBe(true);
    if (unmet !== '') expect(matchesEmailFilter(filter, unmet)).toBe(false);
  });

  it('admits everyone if it is empty', () => {
    expect([{}, null, undefined].map((raw) => matchesEmailFilter(raw, 'a@b.c'))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('combines several with and, or', () => {
    const filter = {
      _or: [{ email: { _ends_with: '@a.com' } }, { email: { _ends_with: '@b.com' } }],
      email: { _nstarts_with: 'x' },
    };
    const met = ['y@a.com', 'y@b.com', 'x@a.com', 'y@c.com'];
    expect(met.map((email) => matchesEmailFilter(filter, email))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  const faults: readonly (readonly [string, unknown])[] = [
    ['a list', []],
    ['text', '@example.com'],
    ['another field', { role: { _null: true } }],
    ['the key', { id: { _null: true } }],
    ['no operator', { email: {} }],
    ['an unknown operator', { email: { _like: 'x' } }],
    ['a bare value', { email: 'ann@example.com' }],
    ['an operand of another type', { email: { _contains: 7 } }],
    ['an operand that is null', { email: { _eq: null } }],
    ['a variable', { email: { _eq: '$CURRENT_USER' } }],
    ['the moment', { email: { _eq: '$NOW' } }],
    ['an empty list', { email: { _nin: [] } }],
    ['a pattern with a look-ahead', { email: { _regex: '(?=x)' } }],
    ['an invalid pattern', { email: { _regex: '(' } }],
    ['too many patterns', { _or: Array(21).fill({ email: { _regex: 'a' } }) }],
    ['too many levels', deep(40)],
  ];

  it.each(faults)('refuses %s, which admits no one', (_, raw) => {
    expect(() => parseEmailFilter(raw)).toThrow(AccessFault);
    expect(matchesEmailFilter(raw, 'ann@example.com')).toBe(false);
  });
});

function deep(levels: number): object {
  return levels === 0 ? { email: { _eq: 'x' } } : { _and: [deep(levels - 1)] };
}
