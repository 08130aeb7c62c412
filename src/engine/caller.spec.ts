import { ANNA, faultOf, NOW, ruleSource, schema, source } from './sample.spec-support';
import { parseFilter } from './filter/parse-filter';
import { type Action, parseRule, type Rule } from './rules/rule';
import { Caller } from './caller';
import type { Identity } from './identity';
import type { RuleBook } from './rights';

const identity: Identity = {
  user: ANNA,
  role: null,
  roles: [],
  ip: null,
  now: NOW,
  session: null,
  staticToken: null,
};

const book = (...rules: readonly Rule[]): RuleBook => {
  const found = new Map<string, Map<Action, Rule[]>>();
  for (const rule of rules) {
    const actions = found.get(rule.collection) ?? new Map<Action, Rule[]>();
    actions.set(rule.action, [...(actions.get(rule.action) ?? []), rule]);
    found.set(rule.collection, actions);
  }
  return found;
};
const rule = (given: Readonly<Record<string, unknown>>): Rule =>
  parseRule(ruleSource(given), schema);
const caller = (rules: RuleBook, administrator = false): Caller =>
  new Caller(identity, schema, { administrator, policies: [], rules, variables: source() });

const reader = caller(
  book(
    rule({ fields: ['text', 'parts'], permissions: { owner: { _eq: '$CURRENT_USER' } } }),
    rule({ id: 2, fields: ['integer'] }),
    rule({ id: 3, collection: 'screws', fields: [] }),
    rule({ id: 4, collection: 'service_users', action: 'update' }),
  ),
);

describe('what a caller may do', () => {
  it.each<[Action, string, boolean]>([
    ['read', 'things', true],
    ['update', 'things', false],
    ['read', 'screws', false],
    ['read', 'service_users', false],
    ['update', 'service_users', true],
    ['read', 'bogus', false],
    ['read', '__proto__', false],
  ])('%s %s: %s', (action, collection, expected) => {
    expect(reader.may(action, collection)).toBe(expected);
  });

  it('is decided once', () => {
    expect(reader.decide('read', 'things')).toBe(reader.decide('read', 'things'));
    expect(reader.decide('read', 'bogus')).toBeUndefined();
  });

  it('is nothing without rules, and everything that exists for an administrator', () => {
    const collections = ['things', 'parts', 'bogus'];
    expect(collections.map((each) => caller(new Map()).may('read', each))).toEqual([
      false,
      false,
      false,
    ]);
    expect(collections.map((each) => caller(new Map(), true).may('delete', each))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('what a caller may name', () => {
  it.each([
    ['things', 'text', true],
    ['things', 'integer', true],
    ['things', 'parts', true],
    ['things', 'id', true],
    ['things', 'decimal', false],
    ['things', 'bogus', false],
    ['screws', 'id', false],
    ['service_users', 'id', false],
    ['bogus', 'id', false],
  ])('%s.%s: %s', (collection, field, shown) => {
    expect(reader.readable.field(collection, field) !== undefined).toBe(shown);
  });

  it('is never a concealed field, not even if * is granted or for an administrator', () => {
    const star = caller(book(rule({ fields: ['*'] })));
    const listed = caller(book(rule({ fields: ['secret'] })));
    const shown = [star, listed, caller(new Map(), true)].map((each) =>
      each.readable.field('things', 'secret'),
    );
    expect(shown).toEqual([undefined, undefined, undefined]);
  });

  it('includes the key if something may be read', () => {
    expect(['things', 'screws', 'bogus'].map((each) => reader.readable.key(each))).toEqual([
      'id',
      undefined,
      undefined,
    ]);
  });

  it('is the same lookup for the whole request', () => {
    expect(reader.readable).toBe(reader.readable);
  });

  it('makes a hidden field of a filter look as if it did not exist', () => {
    const naming = (field: string) => {
      const setting = { lookup: reader.readable, position: 'query' } as const;
      return faultOf(() => parseFilter({ [field]: { _null: true } }, 'things', setting));
    };
    const words = ['decimal', 'secret', 'bogus'].map((field) =>
      naming(field).message.replace(field, '?'),
    );
    expect(new Set(words)).toEqual(new Set(['filter.?: does not exist or may not be named']));
  });
});
