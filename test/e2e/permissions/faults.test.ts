import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const collection = 'service_permissions';
const deep = (levels: number): object =>
  levels === 0 ? { email: { _null: true } } : { _and: [deep(levels - 1)] };

/** The fault, a payload with it, and the code and field of the refusal. */
const FAULTS: readonly (readonly [string, object, code: string, field: string | undefined])[] = [
  ['a collection that does not exist', { collection: 'nonsense' }, 'INVALID_PAYLOAD', 'collection'],
  [
    'a table that is not a collection',
    { collection: 'service_sessions' },
    'INVALID_PAYLOAD',
    'collection',
  ],
  [
    'a property of every object as its collection',
    { collection: '__proto__' },
    'INVALID_PAYLOAD',
    'collection',
  ],
  ['a collection that is a number', { collection: 7 }, 'INVALID_PAYLOAD', 'collection'],
  ['a collection that is null', { collection: null }, 'NOT_NULL_VIOLATION', 'collection'],
  ['a collection too long', { collection: 'c'.repeat(65) }, 'VALUE_TOO_LONG', 'collection'],
  ['a collection with U+0000', { collection: 'a\0' }, 'INVALID_PAYLOAD', 'collection'],
  ['an unknown action', { action: 'reed' }, 'FAILED_VALIDATION', 'action'],
  ['an action in capitals', { action: 'READ' }, 'FAILED_VALIDATION', 'action'],
  ['an action that is a list', { action: ['read'] }, 'INVALID_PAYLOAD', 'action'],
  ['an action that is null', { action: null }, 'NOT_NULL_VIOLATION', 'action'],
  ['a policy that is not an id', { policy: 'sample' }, 'INVALID_PAYLOAD', 'policy'],
  ['a policy that is a number', { policy: 7 }, 'INVALID_PAYLOAD', 'policy'],
  ['a policy that does not exist', { policy: '<rita>' }, 'INVALID_FOREIGN_KEY', 'policy'],
  ['a policy that is null', { policy: null }, 'NOT_NULL_VIOLATION', 'policy'],
  ['an unknown property', { colour: 'red' }, 'INVALID_PAYLOAD', 'colour'],
  ['a property of every object', { constructor: {} }, 'INVALID_PAYLOAD', 'constructor'],
  ['an id that is not a number', { id: 'seven' }, 'INVALID_PAYLOAD', 'id'],

  ['fields that are an object', { fields: {} }, 'INVALID_PAYLOAD', 'fields'],
  ['fields that are numbers', { fields: [1] }, 'INVALID_PAYLOAD', 'fields'],
  ['fields with null among them', { fields: ['email', null] }, 'INVALID_PAYLOAD', 'fields'],
  ['a field that does not exist', { fields: ['email', 'emial'] }, 'INVALID_PAYLOAD', 'fields'],
  ['a field of a relation', { fields: ['role.name'] }, 'INVALID_PAYLOAD', 'fields'],

  ['permissions that are text', { permissions: 'all' }, 'INVALID_PAYLOAD', 'permissions'],
  ['permissions that are JSON in text', { permissions: '{}' }, 'INVALID_PAYLOAD', 'permissions'],
  ['permissions that are a list', { permissions: [] }, 'INVALID_PAYLOAD', 'permissions'],
  ['permissions that are true', { permissions: true }, 'INVALID_PAYLOAD', 'permissions'],
  ...(
    [
      ['an unknown field', { emial: { _eq: 'a' } }, 'emial'],
      ['an unknown field below a relation', { role: { nmae: { _eq: 'a' } } }, 'role.nmae'],
      ['an unknown field within _or', { _or: [{ emial: { _eq: 'a' } }] }, '_or.0.emial'],
      ['a concealed field', { password: { _nnull: true } }, 'password'],
      ['an unknown operator', { email: { _equals: 'a' } }, 'email._equals'],
      ['no operator', { email: 'a' }, 'email'],
      ['an empty field', { email: {} }, 'email'],
      ['a lone operator', { _eq: 'a' }, '_eq'],
      ['_and that is an object', { _and: {} }, '_and'],
      ['an operator of another type', { tags: { _contains: 'a' } }, 'tags._contains'],
      ['an operand of another type', { email: { _eq: 1 } }, 'email._eq'],
      ['an operand that is not an id', { id: { _eq: 'me' } }, 'id._eq'],
      ['null for an operand', { email: { _eq: null } }, 'email._eq'],
      ['a list for an operand', { email: { _eq: ['a'] } }, 'email._eq'],
      ['no list for _in', { email: { _in: {} } }, 'email._in'],
      ['an empty _nin', { email: { _nin: [] } }, 'email._nin'],
      ['null within _in', { email: { _in: ['a', null] } }, 'email._in.1'],
      ['three bounds', { email: { _between: ['a', 'b', 'c'] } }, 'email._between'],
      ['an invalid flag', { email: { _null: 'yes' } }, 'email._null'],
      ['a time with a blank', { last_access: { _lt: '2020-01-01 00:00:00' } }, 'last_access._lt'],
      ['_regex', { email: { _regex: '.' } }, 'email._regex'],
      ['an unknown variable', { id: { _eq: '$CURRENT_MOOD' } }, 'id._eq'],
      ['an unknown path', { id: { _eq: '$CURRENT_USER.boss' } }, 'id._eq'],
      ['a concealed path', { email: { _eq: '$CURRENT_USER.password' } }, 'email._eq'],
      ['a list for one value', { role: { _eq: '$CURRENT_ROLES' } }, 'role._eq'],
      ['a variable of another type', { email: { _eq: '$NOW' } }, 'email._eq'],
      ['an unknown function', { 'age(date_created)': { _eq: 1 } }, 'age(date_created)'],
      ['a function of another type', { 'year(email)': { _eq: 1 } }, 'year(email)'],
    ] as const
  ).map(
    ([what, permissions, at]) =>
      [
        `permissions with ${what}`,
        { permissions },
        'INVALID_PAYLOAD',
        `permissions.${at}`,
      ] as const,
  ),
  [
    'permissions that are too deep',
    { permissions: deep(40) },
    'INVALID_PAYLOAD',
    'permissions._and.0._and',
  ],

  [
    'validation with an unknown field',
    { validation: { emial: { _eq: 'a' } } },
    'INVALID_PAYLOAD',
    'validation.emial',
  ],
  [
    'validation with a regex with look-around',
    { validation: { email: { _regex: '(?=a)' } } },
    'INVALID_PAYLOAD',
    'validation.email._regex',
  ],
  [
    'validation with a broken regex',
    { validation: { email: { _regex: '(' } } },
    'INVALID_PAYLOAD',
    'validation.email._regex',
  ],
  [
    'validation with a regex on a related row, which only the database could judge',
    { validation: { role: { name: { _regex: 'a' } } } },
    'INVALID_PAYLOAD',
    'validation.role.name._regex',
  ],
  ['validation that is a list', { validation: [] }, 'INVALID_PAYLOAD', 'validation'],

  ['presets that are a list', { presets: ['a'] }, 'INVALID_PAYLOAD', 'presets'],
  [
    'a preset for an unknown field',
    { presets: { emial: 'a' } },
    'INVALID_PAYLOAD',
    'presets.emial',
  ],
  [
    'a preset for a concealed field',
    { presets: { password: 'a' } },
    'INVALID_PAYLOAD',
    'presets.password',
  ],
  ['a preset for a list', { presets: { policies: [] } }, 'INVALID_PAYLOAD', 'presets.policies'],
  ['a preset of another type', { presets: { email: 7 } }, 'INVALID_PAYLOAD', 'presets.email'],
  [
    'a preset beyond the choices',
    { presets: { status: 'alive' } },
    'INVALID_PAYLOAD',
    'presets.status',
  ],
  [
    'a preset too long',
    { presets: { language: 'l'.repeat(36) } },
    'INVALID_PAYLOAD',
    'presets.language',
  ],
  [
    'a preset from an unknown variable',
    { presets: { title: '$CURRENT_' } },
    'INVALID_PAYLOAD',
    'presets.title',
  ],
  [
    'a preset from a variable that does not fit',
    { presets: { title: '$CURRENT_ROLES' } },
    'INVALID_PAYLOAD',
    'presets.title',
  ],
];

const RULE = { collection: 'service_users', action: 'read', policy: '<sample>' };

const creating = FAULTS.map(([what, data, code, field]): Scenario => ({
  it: `is not created with ${what}`,
  caller: 'admin',
  collection,
  operation: 'create',
  data: { ...RULE, ...data },
  refused: [{ code, field }],
}));

const changing = FAULTS.filter(([what]) => !what.startsWith('an id')).map(
  ([what, data, code, field]): Scenario => ({
    it: `is not updated to ${what}`,
    caller: 'admin',
    collection,
    operation: 'update',
    id: '<sample#2>',
    data,
    refused: [{ code, field }],
  }),
);

const lacking = ['collection', 'action', 'policy'].map((field): Scenario => ({
  it: `is not created without ${field}`,
  caller: 'admin',
  collection,
  operation: 'create',
  data: Object.fromEntries(Object.entries(RULE).filter(([name]) => name !== field)),
  refused: [{ code: 'FAILED_VALIDATION', field, type: 'required' }],
}));

describe('a permission rule', () => {
  play({ seed: SEED, scenarios: [...creating, ...changing, ...lacking] });
});
