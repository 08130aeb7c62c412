import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const collection = 'service_users';
const NEW = { email: 'new@example.com', password: 'long-enough', first_name: 'New' };

const made = (it: string, data: unknown, expected: object): Scenario =>
  ({ it, caller: 'admin', collection, operation: 'create', data, ...expected }) as Scenario;
const changed = (
  it: string,
  caller: string | null,
  id: string,
  data: unknown,
  expected: object,
): Scenario => ({ it, caller, collection, operation: 'update', id, data, ...expected }) as Scenario;

const fault = (what: string, data: object, code: string, more: object = {}): Scenario[] => [
  made(`refuses a new user with ${what}`, { ...NEW, ...data }, { refused: [{ code, ...more }] }),
  changed(`refuses an update to ${what}`, 'admin', '<bob>', data, { refused: [{ code, ...more }] }),
];

const faults: Scenario[] = [
  ...fault('the address of another', { email: 'ANN@Example.com' }, 'RECORD_NOT_UNIQUE', {
    field: 'email',
  }),
  ...fault('an address that is a list', { email: ['a@b.c'] }, 'INVALID_PAYLOAD', {
    field: 'email',
  }),
  ...fault('an unknown status', { status: 'asleep' }, 'FAILED_VALIDATION', {
    field: 'status',
    type: 'in',
  }),
  ...fault('no status', { status: null }, 'NOT_NULL_VIOLATION', { field: 'status' }),
  ...fault('a role that does not exist', { role: '<ann>' }, 'INVALID_FOREIGN_KEY', {
    field: 'role',
  }),
  ...fault('a role that is a number', { role: 7 }, 'INVALID_PAYLOAD', {
    field: 'role',
  }),
  ...fault('a role that is not an id', { role: 'staff' }, 'INVALID_PAYLOAD', { field: 'role' }),
  ...fault('policies that are text', { policies: '<own>' }, 'INVALID_PAYLOAD', {
    field: 'policies',
  }),
  ...fault('policies that are not ids', { policies: ['own'] }, 'INVALID_PAYLOAD', {
    field: 'policies',
  }),
  ...fault('policies that are null', { policies: null }, 'INVALID_PAYLOAD', { field: 'policies' }),
  ...fault('a policy that does not exist', { policies: ['<ann>'] }, 'INVALID_FOREIGN_KEY', {
    field: 'policy',
  }),
  ...fault('a name too long', { first_name: 'n'.repeat(256) }, 'VALUE_TOO_LONG', {
    field: 'first_name',
  }),
  ...fault('a name that is a number', { first_name: 7 }, 'INVALID_PAYLOAD', {
    field: 'first_name',
  }),
  ...fault('half a character', { first_name: '\ud800' }, 'INVALID_PAYLOAD', {
    field: 'first_name',
  }),
  ...fault('tags that are text', { tags: 'a,b' }, 'INVALID_PAYLOAD', { field: 'tags' }),
  ...fault('tags with null', { tags: [null] }, 'INVALID_PAYLOAD', { field: 'tags' }),
  ...fault('a time with a blank', { last_access: '2024-01-01 00:00:00' }, 'INVALID_PAYLOAD', {
    field: 'last_access',
  }),
  ...fault('a password too short', { password: 'short' }, 'FAILED_VALIDATION', {
    field: 'password',
  }),
  ...fault('a password of blanks', { password: ' '.repeat(12) }, 'FAILED_VALIDATION', {
    field: 'password',
  }),
  ...fault('a password of 73 bytes', { password: 'é'.repeat(36) + 'x' }, 'FAILED_VALIDATION', {
    field: 'password',
  }),
  ...fault('a password that is a number', { password: 12_345_678 }, 'INVALID_PAYLOAD', {
    field: 'password',
  }),
  ...fault('a password with U+0000', { password: 'long-enough\0' }, 'INVALID_PAYLOAD', {
    field: 'password',
  }),
  ...fault('an unknown field', { shoe_size: 44 }, 'INVALID_PAYLOAD', { field: 'shoe_size' }),
  made(
    'names every error',
    { ...NEW, first_name: 7, status: 'asleep' },
    {
      refused: [
        { code: 'INVALID_PAYLOAD', field: 'first_name' },
        { code: 'FAILED_VALIDATION', field: 'status' },
      ],
    },
  ),
];

const making: Scenario[] = [
  made(
    'creates a user',
    { ...NEW, role: '<staff>', policies: ['<own>', '<team>'] },
    {
      query: { fields: ['email', 'password', 'status', 'role', 'policies'] },
      gives: {
        email: 'new@example.com',
        password: '**********',
        status: 'active',
        role: '<staff>',
        policies: expect.arrayContaining([expect.any(String)]) as string[],
      },
      hides: ['long-enough', '$2'],
    },
  ),
  made('creates a user without tags for null', { tags: null }, { shows: { tags: [] } }),
  made('requires no field', {}, { shows: { email: null, password: null, status: 'active' } }),
  made(
    'accepts any name and provider',
    { email: null, first_name: '名前', provider: 'ldap' },
    {
      shows: { email: null, first_name: '名前', provider: 'ldap' },
    },
  ),
  {
    it: 'creates none of many users if two have the same address',
    caller: 'admin',
    collection,
    operation: 'createMany',
    data: [NEW, { ...NEW, email: 'NEW@example.com' }],
    refused: [{ code: 'RECORD_NOT_UNIQUE', field: 'email' }],
  },
  {
    it: 'refuses ann to create one',
    caller: 'ann',
    collection,
    operation: 'create',
    data: NEW,
    refused: 'FORBIDDEN',
  },
  {
    it: 'refuses callers who are not signed in to create one',
    caller: null,
    collection,
    operation: 'create',
    data: NEW,
    refused: 'FORBIDDEN',
  },
];

const changing: Scenario[] = [
  changed(
    'replaces policies',
    'admin',
    '<cid>',
    { policies: ['<own>', '<team>', '<own>'] },
    {
      query: { fields: ['policies.name'], deep: { policies: { _sort: ['name'] } } },
      gives: { policies: [{ name: 'own' }, { name: 'team' }] },
    },
  ),
  changed(
    'keeps policies that are sent again',
    'admin',
    '<cid>',
    { policies: ['<settler>'] },
    {
      query: { fields: ['policies'] },
      gives: { policies: ['<settler>'] },
    },
  ),
  changed(
    'removes policies',
    'admin',
    '<cid>',
    { policies: [] },
    {
      query: { fields: ['policies'] },
      gives: { policies: [] },
    },
  ),
  changed(
    'changes the case of an address',
    'admin',
    '<ann>',
    { email: 'ANN@example.com' },
    {
      shows: { email: 'ANN@example.com' },
    },
  ),
  changed(
    'lets users change their own fields',
    'ann',
    '<ann>',
    { first_name: 'Anna', tags: [] },
    {
      shows: { id: '<ann>', first_name: 'Anna' },
      stored: { [collection]: { '<ann>': { first_name: 'Anna', tags: [], last_name: 'Alder' } } },
    },
  ),
  changed(
    'removes tags for null, as clients send it',
    'ann',
    '<ann>',
    { tags: null },
    { shows: { id: '<ann>' }, stored: { [collection]: { '<ann>': { tags: [] } } } },
  ),
  changed(
    'follows the validation of a rule',
    'ann',
    '<ann>',
    { first_name: '' },
    {
      refused: [{ code: 'FAILED_VALIDATION', field: 'first_name', type: 'nempty' }],
    },
  ),
  changed(
    'refuses a field that is not granted',
    'ann',
    '<ann>',
    { role: null },
    { refused: 'FORBIDDEN' },
  ),
  changed(
    'refuses users to give themselves policies',
    'ann',
    '<ann>',
    { policies: ['<all>'] },
    { refused: 'FORBIDDEN' },
  ),
  changed('refuses another user', 'ann', '<cid>', { first_name: 'Sid' }, { refused: 'FORBIDDEN' }),
  changed(
    'refuses callers who are not signed in',
    null,
    '<ann>',
    { first_name: 'X' },
    { refused: 'FORBIDDEN' },
  ),
];

const deleting: Scenario[] = [
  {
    it: 'deletes a user and their access rows',
    caller: 'admin',
    collection,
    operation: 'delete',
    id: '<cid>',
    silent: true,
    stored: { [collection]: { '<cid>': null, '<ann>': {} }, service_policies: { '<settler>': {} } },
  },
  {
    it: 'refuses ann to delete bob',
    caller: 'ann',
    collection,
    operation: 'delete',
    id: '<bob>',
    refused: 'FORBIDDEN',
  },
];

describe('writing users', () => {
  play({ seed: SEED, scenarios: [...faults, ...making, ...changing, ...deleting] });
});
