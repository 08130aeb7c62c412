import { type SeedData, create, OWN_USER, PASSWORD, read, remove, update } from '../factories';
import { play, type Scenario } from '../support/scenarios';

const ACTIVE = { status: { _eq: 'active' } };
const COMPLETE = {
  validation: { last_name: { _nnull: true }, status: { _in: ['active', 'draft'] } },
};
const WITH_PASSWORD = { validation: { password: { _nnull: true } } };

const SEED: SeedData = {
  policies: {
    editing: [
      read('service_users', ['email', 'first_name', 'last_name', 'status', 'title']),
      update('service_users', ['first_name', 'email'], ACTIVE),
      remove('service_users', ACTIVE),
      create('service_users', ['email', 'first_name'], ACTIVE, {
        validation: { email: { _nempty: true } },
      }),
    ],
    completing: [
      read('service_users', ['email', 'first_name', 'last_name', 'status', 'title']),
      create(
        'service_users',
        ['email', 'last_name', 'status'],
        {},
        {
          ...COMPLETE,
          presets: { title: 'Preset', location: '$CURRENT_USER' },
        },
      ),
      update(
        'service_users',
        ['first_name', 'last_name', 'status'],
        {},
        {
          validation: { ...COMPLETE.validation, title: { _nnull: true } },
          presets: { description: 'changed' },
        },
      ),
    ],
    filling: [
      read('service_users', ['email', 'title', 'last_name']),
      create(
        'service_users',
        ['email'],
        {},
        {
          validation: { title: { _eq: 'Given' }, last_name: { _eq: '$CURRENT_USER.last_name' } },
          presets: { title: 'Given', last_name: '$CURRENT_USER.last_name' },
        },
      ),
      update('service_users', ['email'], OWN_USER, {
        presets: { title: null },
        validation: { title: { _null: true } },
      }),
    ],
    protecting: [
      read('service_users', ['email', 'first_name']),
      create('service_users', ['email', 'password'], {}, WITH_PASSWORD),
      update('service_users', ['first_name', 'password'], {}, WITH_PASSWORD),
    ],
  },
  users: {
    ed: { policies: ['editing'], title: 'Ed' },
    comp: { policies: ['completing'] },
    pia: { policies: ['protecting'] },
    phil: { policies: ['filling'], last_name: 'Filler', title: 'Mr' },
    amy: { first_name: 'Amy', last_name: 'Birch', title: 'Captain' },
    bob: { first_name: 'Bob', last_name: 'Cork' },
    sue: { first_name: 'Sue', status: 'suspended', last_name: 'Dorn', title: 'Dr' },
  },
};

const collection = 'service_users';
const refused = 'FORBIDDEN';
const all = { filter: { first_name: { _in: ['Amy', 'Bob', 'Sue'] } } };

const bulk: Scenario[] = [
  {
    it: 'change',
    operation: 'updateMany',
    ids: ['<amy>', '<sue>', '<bob>'],
    data: { first_name: 'X' },
    refused,
  },
  {
    it: 'change each',
    operation: 'updateEach',
    data: [
      { id: '<amy>', first_name: 'X' },
      { id: '<sue>', first_name: 'Y' },
    ],
    refused,
  },
  {
    it: 'change each, with a forbidden field,',
    operation: 'updateEach',
    data: [
      { id: '<amy>', first_name: 'X' },
      { id: '<bob>', title: 'Y' },
    ],
    refused,
  },
  {
    it: 'change each, with a value that is not unique,',
    operation: 'updateEach',
    data: [
      { id: '<amy>', email: 'x@example.com' },
      { id: '<bob>', email: 'sue@example.com' },
    ],
    refused: 'RECORD_NOT_UNIQUE',
  },
  {
    it: 'change all that a query finds',
    operation: 'updateWhere',
    where: all,
    data: { first_name: 'X' },
    refused,
  },
  { it: 'delete', operation: 'deleteMany', ids: ['<amy>', '<sue>'], refused },
  { it: 'delete all that a query finds', operation: 'deleteWhere', where: all, refused },
  {
    it: 'create',
    operation: 'createMany',
    data: [{ email: 'one@example.com' }, { email: '' }],
    refused: 'FAILED_VALIDATION',
  },
  {
    it: 'create, with a forbidden field,',
    operation: 'createMany',
    data: [{ email: 'one@example.com' }, { email: 'two@example.com', title: 'X' }],
    refused,
  },
].map(
  (each) =>
    ({
      ...each,
      it: `24: to ${each.it} changes none if one is not allowed`,
      caller: 'ed',
      collection,
    }) as Scenario,
);

const allowed: Scenario[] = [
  {
    it: '24: the same without the forbidden one changes all of them',
    caller: 'ed',
    collection,
    operation: 'updateMany',
    ids: ['<amy>', '<bob>'],
    data: { first_name: 'X' },
    shows: [{ first_name: 'X' }, { first_name: 'X' }],
  },
];

const made = (it: string, data: object, expected: object): Scenario =>
  ({
    it: `25: ${it}`,
    caller: 'comp',
    collection,
    operation: 'create',
    data,
    ...expected,
  }) as Scenario;
const changed = (
  it: string,
  caller: string,
  id: string,
  data: object,
  expected: object,
): Scenario =>
  ({ it: `25: ${it}`, caller, collection, operation: 'update', id, data, ...expected }) as Scenario;

const NEW = { email: 'new@example.com', last_name: 'New' };
const failed = (field?: string): object => ({ refused: [{ code: 'FAILED_VALIDATION', field }] });

const resulting: Scenario[] = [
  made('what is left out is judged by its default', NEW, {
    shows: { ...NEW, status: 'active', title: 'Preset' },
  }),
  made('a validated field left out fails', { email: NEW.email }, failed()),
  made(
    'a validated field sent as null fails, by its name',
    { ...NEW, last_name: null },
    failed('last_name'),
  ),
  made(
    'a value outside the validation fails, by its name',
    { ...NEW, status: 'archived' },
    failed('status'),
  ),
  made('a field that only a preset sets is refused', { ...NEW, title: 'Mine' }, { refused }),
  made('a field that only a preset sets is refused as null', { ...NEW, title: null }, { refused }),
  made(
    'a field that only a preset sets is refused at its own value',
    { ...NEW, title: 'Preset' },
    { refused },
  ),
  changed(
    'a field that the change does not set is judged',
    'comp',
    '<bob>',
    { first_name: 'B' },
    failed(),
  ),
  changed('a stored value that fails is judged', 'comp', '<sue>', { first_name: 'S' }, failed()),
  changed(
    'a stored value that fails may be corrected',
    'comp',
    '<sue>',
    { status: 'active' },
    { shows: { status: 'active' } },
  ),
  changed(
    'a removed value fails, by its name',
    'comp',
    '<amy>',
    { last_name: null },
    failed('last_name'),
  ),
  changed('an empty change is judged', 'comp', '<bob>', {}, failed()),
  changed(
    'a change sets the presets',
    'comp',
    '<amy>',
    { first_name: 'A' },
    {
      shows: { first_name: 'A' },
      stored: { [collection]: { '<amy>': { description: 'changed', last_name: 'Birch' } } },
    },
  ),
  {
    it: '25: a preset meets the validation for fields that the payload may not set',
    caller: 'phil',
    collection,
    operation: 'create',
    data: { email: NEW.email },
    shows: { email: NEW.email, title: 'Given', last_name: 'Filler' },
  },
  changed(
    'a preset of null clears what is stored',
    'phil',
    '<phil>',
    { email: 'p@example.com', current_password: PASSWORD },
    {
      shows: { title: null },
      stored: { [collection]: { '<phil>': { title: null, email: 'p@example.com' } } },
    },
  ),
];

/** A validation sees the password that is sent, and no stored one. */
const concealed: Scenario[] = [
  {
    it: '25: a password that is sent meets a validation',
    caller: 'pia',
    collection,
    operation: 'create',
    data: { email: NEW.email, password: PASSWORD },
    shows: { email: NEW.email },
  },
  {
    it: '25: a password that is left out fails one',
    caller: 'pia',
    collection,
    operation: 'create',
    data: { email: NEW.email },
    ...failed(),
  },
  changed('a stored password meets none', 'pia', '<amy>', { first_name: 'A' }, failed()),
  changed(
    'a new password meets one',
    'pia',
    '<amy>',
    { first_name: 'A', password: `${PASSWORD}-2` },
    { shows: { first_name: 'A' } },
  ),
];

describe('writes', () => {
  play({ seed: SEED, scenarios: [...bulk, ...allowed, ...resulting, ...concealed] });
});
