import type { RuleFields } from './access-state';
import { matchRules } from './match-rules';

const rule = (more: Partial<RuleFields>): RuleFields => ({
  collection: 'articles',
  action: 'read',
  fields: [],
  explain: false,
  permissions: {},
  validation: {},
  presets: {},
  ...more,
});

/** The id of the stored rule that each wanted one takes, and the remaining ones. */
function matched(wanted: RuleFields[], stored: RuleFields[]): { taken: unknown[]; left: number[] } {
  const { matches, others } = matchRules(
    wanted,
    stored.map((each, at) => ({ id: at + 1, rule: each })),
  );
  const taken = matches
    .toSorted((one, other) => one.index - other.index)
    .map((match) => match.stored?.id ?? null);
  return { taken, left: others.map(({ id }) => id) };
}

describe('rules, which have no keys,', () => {
  it('are matched if they are equal, whatever their order', () => {
    const [a, b, c] = [rule({ fields: ['a'] }), rule({ fields: ['b'] }), rule({ fields: ['c'] })];
    expect(matched([c, a], [a, b, c])).toEqual({ taken: [3, 1], left: [2] });
  });

  it('match duplicates one to one', () => {
    expect(matched([rule({}), rule({})], [rule({})])).toEqual({ taken: [1, null], left: [] });
  });

  it('otherwise match the stored rule of the same collection and action that differs least', () => {
    const stored = [
      rule({ fields: ['x'], permissions: { a: { _eq: 1 } } }),
      rule({ fields: ['y'], permissions: { b: { _eq: 1 } } }),
      rule({ action: 'update', fields: ['y', 'z'] }),
    ];
    const wanted = [rule({ fields: ['y', 'z'], permissions: { b: { _eq: 1 } } })];
    expect(matched(wanted, stored)).toEqual({ taken: [2], left: [1, 3] });
  });

  it('with presets keep their order: stored rules are assigned in order', () => {
    const one = rule({ action: 'create', presets: { n: 1 } });
    const two = rule({ action: 'create', presets: { n: 2 } });
    expect(matched([two, one], [one, two])).toEqual({ taken: [1, 2], left: [] });
    expect(matched([two, one], [one])).toEqual({ taken: [1, null], left: [] });
    expect(matched([one, two], [one, two])).toEqual({ taken: [1, 2], left: [] });
  });
});
