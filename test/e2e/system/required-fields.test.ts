import { create, type SeedData, read } from '../../factories';
import { refusalOf, startTestApp } from '../../support';
import { play, type Scenario } from '../../support/scenarios';

const FIELDS = ['email', 'first_name', 'last_name', 'title'];

const SEED: SeedData = {
  policies: {
    making: [create('service_users', FIELDS), read('service_users', FIELDS)],
    presetting: [
      create('service_users', ['email'], {}, { presets: { last_name: 'Preset' } }),
      read('service_users', FIELDS),
    ],
    nameless: [create('service_users', ['email'])],
    others: [create('service_users', FIELDS, { title: { _eq: 'other' } })],
    spare: [],
  },
  roles: { staff: {} },
  users: {
    maker: { last_name: 'Maker', policies: ['making'] },
    presetter: { last_name: 'Presetter', policies: ['presetting'] },
    nameless: { last_name: 'Nameless', policies: ['nameless'] },
    other: { last_name: 'Other', policies: ['others'] },
  },
};

const collection = 'service_users';
const required = (...fields: string[]): object => ({
  refused: fields.map((field) => ({ code: 'FAILED_VALIDATION', field, type: 'required' })),
});

const made = (it: string, caller: string, data: unknown, expected: object): Scenario =>
  ({ it, caller, collection, operation: 'create', data, ...expected }) as Scenario;

const WHOLE = { email: 'new@example.com', last_name: 'New' };

describe('USER_REQUIRED_FIELDS=last_name,email', () => {
  play(
    {
      seed: SEED,
      scenarios: [
        made('lets who carries them in', 'maker', WHOLE, { shows: WHOLE }),
        made('names one that is left out', 'maker', { email: 'a@b.cd' }, required('last_name')),
        made('names each that is left out', 'admin', {}, required('last_name', 'email')),
        made(
          'counts null as left out',
          'maker',
          { ...WHOLE, last_name: null },
          required('last_name'),
        ),
        made(
          'counts nothing as left out',
          'maker',
          { ...WHOLE, last_name: '' },
          required('last_name'),
        ),
        made(
          'takes what a preset sets',
          'presetter',
          { email: 'new@example.com' },
          { shows: { last_name: 'Preset' } },
        ),
        made(
          'does not name what no rule of the caller names',
          'nameless',
          { email: 'new@example.com' },
          { refused: [{ code: 'FAILED_VALIDATION', field: undefined }] },
        ),
        made('says nothing to whom the create is forbidden', 'other', {}, { refused: 'FORBIDDEN' }),
        {
          it: 'makes none of many of whom one lacks it',
          caller: 'maker',
          collection,
          operation: 'createMany',
          data: [WHOLE, { email: 'second@example.com' }],
          ...required('last_name'),
        },
        {
          it: 'binds users that are nested in a role',
          caller: 'admin',
          collection: 'service_roles',
          operation: 'create',
          data: { name: 'new', users: [{ email: 'new@example.com' }] },
          ...required('last_name'),
        },
        {
          it: 'binds no update',
          caller: 'admin',
          collection,
          operation: 'update',
          id: '<maker>',
          data: { last_name: null },
          shows: { last_name: null },
        },
      ] as Scenario[],
    },
    { env: { USER_REQUIRED_FIELDS: 'last_name, email' } },
  );
});

describe('USER_REQUIRED_FIELDS=role,policies', () => {
  play(
    {
      seed: {},
      scenarios: [
        made('names relations', 'admin', WHOLE, required('role', 'policies')),
        {
          it: 'takes the role that a user is nested in',
          caller: 'admin',
          collection: 'service_roles',
          operation: 'create',
          data: { name: 'new', users: [{ ...WHOLE, policies: ['<public>'] }] },
          query: { fields: ['users.last_name'] },
          gives: { users: [{ last_name: 'New' }] },
        },
      ] as Scenario[],
    },
    { env: { USER_REQUIRED_FIELDS: 'role,policies' } },
  );
});

describe('a start with USER_REQUIRED_FIELDS', () => {
  it.each(['shoe_size', 'email,id', 'tfa_secret'])('is refused with %s', async (fields) => {
    const start = startTestApp({ env: { USER_REQUIRED_FIELDS: fields }, logger: false });
    expect((await refusalOf(start)).message).toContain(
      'USER_REQUIRED_FIELDS must contain only fields',
    );
  });
});
