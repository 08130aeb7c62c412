import { faultOf, ruleSource, schema } from '../sample.spec-support';
import { variablesOf } from './decide';
import { openLookup, parseRule } from './rule';

type Given = Readonly<Record<string, unknown>>;
const parse = (given: Given) => parseRule(ruleSource(given), schema);

describe('a rule that is refused', () => {
  it.each<[string, Given, string]>([
    ['an unknown collection', { collection: 'bogus' }, 'hidden collection'],
    ['a name that every object has', { collection: '__proto__' }, 'hidden collection'],
    ['an unknown action', { action: 'write' }, 'malformed action'],
    ['an action in capitals', { action: 'READ' }, 'malformed action'],
    ['no action', { action: undefined }, 'malformed action'],
    ['a name that every object has, as action', { action: 'constructor' }, 'malformed action'],
    ['an unknown field', { fields: ['id', 'bogus'] }, 'hidden fields'],
    ['an unknown field with *', { fields: ['*', 'bogus'] }, 'hidden fields'],
    ['a field of a relation', { fields: ['owner.name'] }, 'hidden fields'],
    ['a string instead of fields', { fields: 'id' }, 'malformed fields'],
    ['* as a string', { fields: '*' }, 'malformed fields'],
    ['an object instead of fields', { fields: { 0: 'id' } }, 'malformed fields'],
    ['a number among the fields', { fields: [1] }, 'malformed fields'],
    ['a string instead of permissions', { permissions: '{}' }, 'malformed permissions'],
    ['a list instead of permissions', { permissions: [] }, 'malformed permissions'],
    ['true instead of permissions', { permissions: true }, 'malformed permissions'],
    [
      'an unknown field in permissions',
      { permissions: { bogus: { _eq: 1 } } },
      'hidden permissions.bogus',
    ],
    [
      'an unknown operator',
      { permissions: { text: { _is: 'a' } } },
      'malformed permissions.text._is',
    ],
    [
      'an operator of another type',
      { permissions: { integer: { _contains: 'a' } } },
      'malformed permissions.integer._contains',
    ],
    [
      'a value of another type',
      { permissions: { integer: { _eq: 'a' } } },
      'malformed permissions.integer._eq',
    ],
    [
      'a value beyond the column',
      { permissions: { small: { _eq: 32768 } } },
      'malformed permissions.small._eq',
    ],
    ['no value', { permissions: { text: { _eq: null } } }, 'malformed permissions.text._eq'],
    ['an empty _nin', { permissions: { id: { _nin: [] } } }, 'malformed permissions.id._nin'],
    [
      'an empty _nin in validation',
      { validation: { id: { _nin: [] } } },
      'malformed validation.id._nin',
    ],
    [
      'an unknown variable',
      { permissions: { owner: { _eq: '$CURRENT_USR' } } },
      'malformed permissions.owner._eq',
    ],
    [
      'a pattern in permissions',
      { permissions: { text: { _regex: 'a' } } },
      'malformed permissions.text._regex',
    ],
    [
      'a concealed field in permissions',
      { permissions: { secret: { _null: true } } },
      'hidden permissions.secret',
    ],
    [
      'a concealed field behind a relation',
      { permissions: { owner: { password: { _eq: 'x' } } } },
      'hidden permissions.owner.password',
    ],
    [
      'a concealed field behind a relation in validation',
      { validation: { owner: { password: { _eq: 'x' } } } },
      'hidden validation.owner.password',
    ],
    [
      'a concealed field behind a list in validation',
      { validation: { parts: { secret: { _eq: 'x' } } } },
      'hidden validation.parts.secret',
    ],
    [
      'a concealed field in the path of a variable',
      { validation: { text: { _eq: '$CURRENT_USER.password' } } },
      'hidden validation.text._eq',
    ],
    ['a string instead of validation', { validation: 'x' }, 'malformed validation'],
    [
      'an invalid pattern in validation',
      { validation: { text: { _regex: '(' } } },
      'malformed validation.text._regex',
    ],
    ['a string instead of presets', { presets: '{}' }, 'malformed presets'],
    ['a list instead of presets', { presets: [] }, 'malformed presets'],
    ['a preset for an unknown field', { presets: { bogus: 1 } }, 'hidden presets.bogus'],
    ['a preset for a concealed field', { presets: { secret: 'x' } }, 'hidden presets.secret'],
    ['a preset for a list', { presets: { parts: [] } }, 'malformed presets.parts'],
    ['a preset of another type', { presets: { integer: 'a' } }, 'malformed presets.integer'],
    ['a preset longer than the column', { presets: { text: 'abcdef' } }, 'malformed presets.text'],
    [
      'a preset for the key of an updated row',
      { action: 'update', presets: { id: 5 } },
      'malformed presets.id',
    ],
    ['no value for that key', { action: 'update', presets: { id: null } }, 'malformed presets.id'],
    ['a preset that is not a choice', { presets: { enum: 'gone' } }, 'malformed presets.enum'],
    [
      'an unknown variable in a preset',
      { presets: { text: '$CURRENT_' } },
      'malformed presets.text',
    ],
    [
      'a concealed path in a preset',
      { presets: { text: '$CURRENT_USER.password' } },
      'hidden presets.text',
    ],
    [
      'a list of values in a preset for one',
      { presets: { uuid: '$CURRENT_ROLES' } },
      'malformed presets.uuid',
    ],
    [
      'one value in a preset for a list',
      { presets: { array: '$CURRENT_USER.name' } },
      'malformed presets.array',
    ],
    [
      'a variable of another type in a preset',
      { presets: { integer: '$CURRENT_USER.name' } },
      'malformed presets.integer',
    ],
    ['$NOW in a preset for text', { presets: { text: '$NOW' } }, 'malformed presets.text'],
  ])('%s: %j at %s', (_, given, where) => {
    const fault = faultOf(() => parse(given));
    expect(`${fault.kind} ${fault.path.join('.')}`).toBe(where);
  });

  it('names a field that does not exist, in fields and in a filter', () => {
    const subject = { collection: 'things', field: 'bogus' };
    expect(faultOf(() => parse({ fields: ['bogus'] })).subject).toEqual(subject);
    expect(faultOf(() => parse({ permissions: { bogus: {} } })).subject).toEqual(subject);
    expect(faultOf(() => parse({ presets: { bogus: {} } })).subject).toEqual(subject);
  });

  it('is not one with own properties that have names of every object', () => {
    const presets: unknown = JSON.parse('{"__proto__": {"text": "x"}}');
    expect(faultOf(() => parse({ presets })).path).toEqual(['presets', '__proto__']);
  });
});

describe('a rule that is accepted', () => {
  it.each(['create', 'read', 'update', 'delete', 'share', 'comment'])(
    '%s is an action',
    (action) => {
      expect(parse({ action }).action).toBe(action);
    },
  );

  it.each<[unknown, unknown]>([
    [['*'], '*'],
    [['id', '*'], '*'],
    [['id', 'text'], new Set(['id', 'text'])],
    [['secret', 'parts', 'owner'], new Set(['secret', 'parts', 'owner'])],
    [[], new Set()],
    [null, new Set()],
    [undefined, new Set()],
  ])('fields %j are %p', (fields, expected) => {
    expect(parse({ fields }).fields).toEqual(expected);
  });

  it.each([[{}], [null], [undefined]])(
    'permissions, validation and presets of %j do not restrict anything',
    (empty) => {
      expect(parse({ permissions: empty, validation: empty, presets: empty })).toMatchObject({
        rows: { kind: 'and', of: [] },
        validation: { kind: 'and', of: [] },
        presets: new Map(),
      });
    },
  );

  it('may name a concealed field in validation, and use patterns', () => {
    const rule = parse({
      validation: { _or: [{ secret: { _nnull: true } }, { secret: { _regex: '^.{8,128}$' } }] },
    });
    expect(rule.validation).toMatchObject({
      kind: 'or',
      of: [{ negated: true }, { test: 'regex' }],
    });
  });

  it('has presets in canonical form, null and variables among them', () => {
    const presets = {
      text: 'a',
      integer: '7',
      decimal: 1.5,
      uuid: 'AAAAAAAA-0000-4000-8000-000000000001',
      date: null,
      owner: '$CURRENT_USER',
      array: '$CURRENT_USER.tags',
      timestamp: '$NOW',
      json: { a: ['$NOW'] },
    };
    expect(Object.fromEntries(parse({ presets }).presets)).toMatchObject({
      text: { literal: 'a' },
      integer: { literal: 7 },
      decimal: { literal: '1.5' },
      uuid: { literal: 'aaaaaaaa-0000-4000-8000-000000000001' },
      date: { literal: null },
      owner: { variable: { kind: 'user' } },
      array: { variable: { kind: 'user', path: ['tags'] } },
      timestamp: { variable: { kind: 'now' } },
      json: { literal: { a: ['$NOW'] } },
    });
  });

  it('lists the variables of all its parts', () => {
    const rule = parse({
      permissions: { owner: { _eq: '$CURRENT_USER' } },
      validation: { text: { _neq: '$CURRENT_ROLE.name' } },
      presets: { timestamp: '$NOW', text: 'a' },
    });
    expect(variablesOf(rule).map(({ kind }) => kind)).toEqual(['user', 'role', 'now']);
  });
});

describe('the open lookup', () => {
  const lookup = openLookup(schema);
  it.each([
    ['things', 'text', true],
    ['things', 'parts', true],
    ['things', 'secret', false],
    ['things', 'bogus', false],
    ['things', 'constructor', false],
    ['bogus', 'id', false],
  ])('%s.%s is shown: %s', (collection, field, shown) => {
    expect(lookup.field(collection, field) !== undefined).toBe(shown);
  });

  it('knows the key of a collection that exists', () => {
    expect([lookup.key('things'), lookup.key('bogus')]).toEqual(['id', undefined]);
  });
});
