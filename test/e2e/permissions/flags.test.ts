import { type Item, play, type Scenario } from '../../support/scenarios';
import { read, update } from '../../factories';
import { SEED } from './fixtures';

const collection = 'service_permissions';
const restOnly = 'only REST bodies have flags; GraphQL has typed inputs';
const ALL = ['*'];
const OWN = { _eq: '$CURRENT_USER' };

const making = (it: string, data: object, expected: object): Scenario => ({
  ...{ it, caller: 'admin', collection, operation: 'create', restOnly },
  data: { collection: 'service_users', policy: '<sample>', ...data },
  ...expected,
});

const changing = (it: string, id: string, data: object, expected: object): Scenario => ({
  ...{ it, caller: 'admin', collection, operation: 'update', restOnly, id, data },
  ...expected,
});

const refusedFor = (field: string): object => ({ refused: [{ code: 'INVALID_PAYLOAD', field }] });

const made: Scenario[] = [
  making(
    'creates one rule from one flag',
    { read: true },
    { shows: { action: 'read', fields: ALL } },
  ),
  making(
    'creates no rule from flags that are false',
    { read: true, create: false },
    {
      shows: { action: 'read' },
    },
  ),
  making(
    'creates a rule for each of several flags',
    { create: true, read: true, delete: true },
    {
      shows: [
        { action: 'create', fields: ALL },
        { action: 'read', fields: ALL },
        { action: 'delete', fields: ALL },
      ],
    },
  ),
  making(
    'stores that a change must be explained',
    { update: true, explain: true },
    {
      shows: { action: 'update', explain: true },
    },
  ),
  making(
    'denies fields by granting all others, separately for each action',
    {
      ...{ read: true, update: true, collection: 'service_roles' },
      read_field_blacklist: ['users', 'children', 'policies', 'parent'],
      write_field_blacklist: ['id', 'icon', 'users', 'children', 'policies', 'parent'],
    },
    {
      shows: [
        { action: 'read', fields: ['id', 'name', 'icon', 'description', 'managed'] },
        { action: 'update', fields: ['name', 'description', 'managed'] },
      ],
    },
  ),
  making(
    'requires a status of the row',
    { read: true, status: 'draft' },
    {
      shows: { permissions: { status: { _eq: 'draft' } }, validation: {} },
    },
  ),
  making(
    'denies a status of rows that are read or deleted, and of written rows',
    { read: true, create: true, update: true, delete: true, status_blacklist: ['archived'] },
    {
      shows: [
        { action: 'create', permissions: {}, validation: { status: { _nin: ['archived'] } } },
        { action: 'read', permissions: { status: { _nin: ['archived'] } }, validation: {} },
        { action: 'update', permissions: {}, validation: { status: { _nin: ['archived'] } } },
        { action: 'delete', permissions: { status: { _nin: ['archived'] } }, validation: {} },
      ],
    },
  ),
];

const refused: Scenario[] = [
  making('requires a flag that is true', { read: false }, refusedFor('action')),
  making('accepts only true and false', { read: 'yes' }, refusedFor('read')),
  making('accepts no action with flags', { read: true, action: 'read' }, refusedFor('action')),
  making('accepts no fields with flags', { read: true, fields: ['id'] }, refusedFor('fields')),
  making(
    'refuses to deny unknown fields',
    { read: true, read_field_blacklist: ['nothing'] },
    refusedFor('read_field_blacklist'),
  ),
  making(
    'accepts only lists of names',
    { read: true, read_field_blacklist: 'email' },
    refusedFor('read_field_blacklist'),
  ),
  making('requires a status that is text', { read: true, status: 1 }, refusedFor('status')),
  making(
    'requires a status field',
    { read: true, status: 'x', collection: 'service_roles' },
    refusedFor('status'),
  ),
  making(
    'requires a status field for denied ones too',
    { create: true, status_blacklist: ['x'], collection: 'service_roles' },
    refusedFor('status_blacklist'),
  ),
  making(
    'requires a collection, whichever fields are denied',
    { read: true, read_field_blacklist: ['x'], collection: undefined },
    { refused: [{ field: 'collection' }] },
  ),
  making(
    'refuses a collection that does not exist by its name, whichever fields are denied',
    { create: true, write_field_blacklist: ['x'], collection: 'nothing' },
    refusedFor('collection'),
  ),
  making(
    'accepts no role with a policy',
    { read: true, role: '<administrators>' },
    refusedFor('role'),
  ),
  making(
    'creates none of several if one is refused',
    { read: true, create: true, status: 'x', collection: 'service_roles' },
    {
      refused: 'INVALID_PAYLOAD',
    },
  ),
];

const changed: Scenario[] = [
  changing(
    'uses the only flag that is true as the action',
    '<sample#1>',
    { update: true },
    {
      shows: { id: '<sample#1>', action: 'update', permissions: { status: { _eq: 'active' } } },
    },
  ),
  changing(
    'changes the fields by the denied ones',
    '<sample#1>',
    { read_field_blacklist: ['password'] },
    {
      shows: { action: 'read', fields: expect.not.arrayContaining(['password']) },
    },
  ),
  changing(
    'keeps all other conditions when it denies a status',
    '<owned#1>',
    { status_blacklist: ['archived'] },
    {
      shows: { permissions: { id: OWN, status: { _eq: 'active', _nin: ['archived'] } } },
    },
  ),
  changing(
    'keeps all other conditions when it requires another status',
    '<owned#1>',
    { status: 'draft' },
    {
      shows: { permissions: { id: OWN, status: { _eq: 'draft' } } },
    },
  ),
  changing(
    'no longer denies a status by an empty list',
    '<owned#2>',
    { status_blacklist: [] },
    {
      shows: { permissions: { id: OWN }, validation: { email: { _nempty: true } } },
    },
  ),
  changing('refuses two flags', '<sample#1>', { read: true, update: true }, refusedFor('update')),
  changing('refuses false for its own action', '<sample#1>', { read: false }, refusedFor('read')),
];

const changingMany = (it: string, data: object, expected: object): Scenario => ({
  ...{ it, caller: 'admin', collection, operation: 'updateMany', restOnly },
  ...{ ids: ['<narrow#1>', '<narrow#2>'], data: data as Item },
  ...expected,
});

const changedAtOnce: Scenario[] = [
  changingMany(
    'does not change the fields of several rules',
    { read: true, explain: true },
    {
      shows: [
        { action: 'read', fields: ['id', 'name'], explain: true },
        { action: 'read', fields: ['id', 'email'], explain: true },
      ],
    },
  ),
  changingMany(
    'refuses denied fields for rules of several collections',
    { read: true, read_field_blacklist: ['id'] },
    refusedFor('read_field_blacklist'),
  ),
  changingMany(
    'changes the fields of several rules by the denied ones',
    { read: true, collection: 'service_users', read_field_blacklist: ['email'] },
    { shows: Array(2).fill({ fields: expect.not.arrayContaining(['email']) as unknown }) },
  ),
  {
    ...changingMany(
      'refuses a status for rules with different conditions',
      {},
      refusedFor('status'),
    ),
    ...{ operation: 'updateMany', ids: ['<owned#1>', '<narrow#2>'] },
    data: { read: true, status: 'draft' },
  },
  changingMany('refuses false for the action of one', { read: false }, refusedFor('read')),
  {
    ...changingMany(
      'requires an action for rules of several actions',
      { status: 'x' },
      refusedFor('action'),
    ),
    ...{ operation: 'updateMany', ids: ['<narrow#2>', '<narrow#3>'], data: { status: 'x' } },
  },
];

const OWNED = [
  read('service_users', ['id'], { id: OWN, status: { _eq: 'active' } }),
  update(
    'service_users',
    ['title'],
    { id: OWN },
    {
      validation: { email: { _nempty: true }, status: { _nin: ['archived'] } },
    },
  ),
];

const NARROW = [
  read('service_roles', ['id', 'name']),
  read('service_users', ['id', 'email']),
  update('service_users', ['title']),
];

describe('rules written as flags', () => {
  play({
    seed: { ...SEED, policies: { ...SEED.policies, narrow: NARROW, owned: OWNED } },
    scenarios: [...made, ...refused, ...changed, ...changedAtOnce],
  });
});
