import {
  ANNA,
  BERT,
  bound,
  inQuery,
  meets,
  rowOf,
  source,
  things,
  type World,
} from '../sample.spec-support';
import type { Cell } from '../schema/value';
import { bindFilter, usesVariable } from './bind-filter';
import { evaluateFilter } from './evaluate-filter';
import { parseFilter } from './parse-filter';
import type { Variable } from './variables';

const NOTHING = { kind: 'or', of: [] };

describe('a variable without a value makes its clause false', () => {
  it.each<[string, unknown]>([
    ['text', { _eq: '$CURRENT_USER.name' }],
    ['text', { _neq: '$CURRENT_USER.name' }],
    ['text', { _lt: '$CURRENT_USER.name' }],
    ['text', { _lte: '$CURRENT_USER.name' }],
    ['text', { _gt: '$CURRENT_USER.name' }],
    ['text', { _gte: '$CURRENT_USER.name' }],
    ['text', { _in: '$CURRENT_USER.name' }],
    ['text', { _in: ['a', '$CURRENT_USER.name'] }],
    ['text', { _nin: '$CURRENT_USER.name' }],
    ['text', { _nin: ['a', '$CURRENT_USER.name'] }],
    ['text', { _between: ['a', '$CURRENT_USER.name'] }],
    ['text', { _nbetween: ['$CURRENT_USER.name', 'a'] }],
    ['text', { _contains: '$CURRENT_USER.name' }],
    ['text', { _ncontains: '$CURRENT_USER.name' }],
    ['text', { _icontains: '$CURRENT_USER.name' }],
    ['text', { _nicontains: '$CURRENT_USER.name' }],
    ['text', { _starts_with: '$CURRENT_USER.name' }],
    ['text', { _nstarts_with: '$CURRENT_USER.name' }],
    ['text', { _istarts_with: '$CURRENT_USER.name' }],
    ['text', { _nistarts_with: '$CURRENT_USER.name' }],
    ['text', { _ends_with: '$CURRENT_USER.name' }],
    ['text', { _nends_with: '$CURRENT_USER.name' }],
    ['text', { _iends_with: '$CURRENT_USER.name' }],
    ['text', { _niends_with: '$CURRENT_USER.name' }],
    ['integer', { _neq: '$CURRENT_USER.age' }],
    ['integer', { _nbetween: ['$CURRENT_USER.age', '$CURRENT_USER.age'] }],
    ['year(timestamp)', { _neq: '$CURRENT_USER.age' }],
    ['owner', { _neq: '$CURRENT_USER' }],
    ['owner', { _eq: '$CURRENT_ROLE' }],
    ['uuid', { _nin: '$CURRENT_ROLES' }],
    ['uuid', { _in: [ANNA, '$CURRENT_POLICIES'] }],
    ['timestamp', { _gt: '$NOW(-9999 years)' }],
  ])('%s %j', (field, tests) => {
    expect(bound({ [field]: tests })).toEqual(NOTHING);
    // The same with null, which counts as missing too.
    const nulls = { now: new Date(0), valueOf: () => null };
    expect(bound({ [field]: tests }, { variables: nulls })).toEqual(NOTHING);
  });

  it.each<[string, unknown, Readonly<Record<string, Cell | readonly Cell[]>>]>([
    ['an empty list', { uuid: { _nin: '$CURRENT_ROLES' } }, { $CURRENT_ROLES: [] }],
    ['a null in a list', { uuid: { _nin: '$CURRENT_ROLES' } }, { $CURRENT_ROLES: [ANNA, null] }],
    ['a list of null', { text: { _in: '$CURRENT_USER.tags' } }, { '$CURRENT_USER.tags': [null] }],
    [
      'an empty list among literals',
      { text: { _in: ['a', '$CURRENT_USER.tags'] } },
      { '$CURRENT_USER.tags': [] },
    ],
    [
      'a name that is not a choice',
      { enum: { _neq: '$CURRENT_USER.name' } },
      { '$CURRENT_USER.name': 'Anna' },
    ],
    [
      'a name that is not a UUID',
      { uuid: { _neq: '$CURRENT_USER.name' } },
      { '$CURRENT_USER.name': 'Anna' },
    ],
  ])('%s', (_, filter, values) => {
    expect(bound(filter, { variables: source(values) })).toEqual(NOTHING);
  });

  it('and only its clause', () => {
    const row = { text: 'a', integer: 1 };
    const clause = { text: { _neq: '$CURRENT_USER.name' } };
    expect(meets({ _or: [clause, { integer: { _eq: 1 } }] }, row)).toBe(true);
    expect(meets({ _and: [clause, { integer: { _eq: 1 } }] }, row)).toBe(false);
    expect(meets({ text: { _neq: '$CURRENT_USER.name', _eq: 'a' } }, row)).toBe(false);
  });

  it('through a to-one and under _some too', () => {
    const world: World = { service_users: [{ id: ANNA }], parts: [{ id: 1, thing: 1, name: 'a' }] };
    const row = { id: 1, owner: ANNA };
    expect(meets({ owner: { name: { _neq: '$CURRENT_USER.name' } } }, row, world)).toBe(false);
    expect(meets({ parts: { name: { _neq: '$CURRENT_USER.name' } } }, row, world)).toBe(false);
    expect(
      meets({ parts: { _some: { name: { _ncontains: '$CURRENT_USER.name' } } } }, row, world),
    ).toBe(false);
  });
});

describe('under _none a variable without a value', () => {
  const lost = { name: { _eq: '$CURRENT_USER.name' } };
  it.each<[string, unknown]>([
    ['makes it false', { parts: { _none: lost } }],
    ['whatever the operator', { parts: { _none: { name: { _neq: '$CURRENT_USER.name' } } } }],
    ['in a list', { parts: { _none: { name: { _in: ['a', '$CURRENT_USER.name'] } } } }],
    ['in _or with a true condition', { parts: { _none: { _or: [lost, { name: { _eq: 'a' } }] } } }],
    ['in _or with a condition that is always true', { parts: { _none: { _or: [{}, lost] } } }],
    [
      'in _and with a condition that is never true',
      { parts: { _none: { _and: [{ _or: [] }, lost] } } },
    ],
    ['with an empty list', { parts: { _none: { id: { _in: [] }, ...lost } } }],
    ['behind a to-one', { parts: { _none: { maker: lost } } }],
    ['behind _some', { parts: { _none: { thing: { parts: { _some: lost } } } } }],
    [
      'in an inner _none, makes the outer one false',
      { parts: { _none: { screws: { _none: { part: lost } } } } },
    ],
    [
      'in an inner _none with a true condition',
      { parts: { _none: { _or: [{}, { screws: { _none: { part: lost } } }] } } },
    ],
  ])('%s', (_, filter) => {
    expect(bound(filter)).toEqual(NOTHING);
  });

  it('does not affect conditions next to the outermost _none', () => {
    const beside = { parts: { _none: lost }, text: { _eq: 'a' } };
    expect(bound({ _or: [beside, { integer: { _eq: 1 } }] })).toMatchObject({
      kind: 'leaf',
      operands: [1],
    });
  });

  it('makes only the _none false if that is under _some', () => {
    const inner = {
      parts: { _some: { _or: [{ screws: { _none: { part: lost } } }, { size: { _eq: 1 } }] } },
    };
    expect(bound(inner)).toMatchObject({
      kind: 'to-many',
      quantifier: 'some',
      filter: { operands: [1] },
    });
  });

  it.each(['_contains', '_nicontains', '_nstarts_with', '_iends_with'])(
    'and one whose text is too long for %s counts as having no value',
    (operator) => {
      const withName = (length: number) =>
        source({ '$CURRENT_USER.name': 'a'.repeat(length), $CURRENT_USER: ANNA });
      const test = { text: { [operator]: '$CURRENT_USER.name' } };
      expect(bound(test, { variables: withName(1_000) })).not.toEqual(NOTHING);
      expect(bound(test, { variables: withName(1_001) })).toEqual(NOTHING);
      expect(bound({ parts: { _none: lost } }, { variables: withName(1_001) })).not.toEqual(
        NOTHING,
      );
    },
  );

  it('is reported by name', () => {
    const told: Variable[] = [];
    const filter = parseFilter(
      { parts: { _none: lost }, owner: { _eq: '$CURRENT_USER' } },
      'things',
      inQuery,
    );
    bindFilter(filter, source(), (variable) => told.push(variable));
    expect(told).toMatchObject([
      { kind: 'user', path: ['name'] },
      { kind: 'user', path: [] },
    ]);
  });

  it('with a value, _none is the opposite of _some', () => {
    const variables = source({ '$CURRENT_USER.name': 'a' });
    const world: World = { parts: [{ id: 1, thing: 1, name: 'a' }] };
    const answers = [1, 2].map((id) => meets({ parts: { _none: lost } }, { id }, world, variables));
    expect(answers).toEqual([false, true]);
  });
});

describe('the variables of a filter', () => {
  it.each<[unknown, boolean]>([
    [{}, false],
    [{ text: { _eq: 'a' } }, false],
    [{ owner: { _eq: '$CURRENT_USER' } }, true],
    [
      { _or: [{}, { parts: { _none: { maker: { boss: { _in: [BERT, '$CURRENT_USER'] } } } } }] },
      true,
    ],
    [{ timestamp: { _lt: '$NOW' } }, false],
  ])('%j names the user: %s', (filter, expected) => {
    const parsed = parseFilter(filter, 'things', inQuery);
    expect(usesVariable(parsed, (variable) => variable.kind === 'user')).toBe(expected);
  });

  it('are replaced for each caller', () => {
    const filter = parseFilter({ owner: { _eq: '$CURRENT_USER' } }, 'things', inQuery);
    const row = rowOf(things, { owner: ANNA });
    const answers = [ANNA, BERT].map((user) =>
      evaluateFilter(bindFilter(filter, source({ $CURRENT_USER: user })), row),
    );
    expect(answers).toEqual([true, false]);
  });
});
