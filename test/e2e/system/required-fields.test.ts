import { create, type SeedData, read } from '../../factories';
import { as, refusalOf, signIn, startTestApp, TEST_ADMIN } from '../../support';
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
        made('accepts a user with all of them', 'maker', WHOLE, { shows: WHOLE }),
        made('names a missing one', 'maker', { email: 'a@b.cd' }, required('last_name')),
        made('names each missing one', 'admin', {}, required('last_name', 'email')),
        made(
          'counts null as missing',
          'maker',
          { ...WHOLE, last_name: null },
          required('last_name'),
        ),
        made(
          'counts empty text as missing',
          'maker',
          { ...WHOLE, last_name: '' },
          required('last_name'),
        ),
        made(
          'accepts values of presets',
          'presetter',
          { email: 'new@example.com' },
          { shows: { last_name: 'Preset' } },
        ),
        made(
          'does not name a field that no rule grants to the caller',
          'nameless',
          { email: 'new@example.com' },
          { refused: [{ code: 'FAILED_VALIDATION', field: undefined }] },
        ),
        made(
          'names nothing to callers who may not create users',
          'other',
          {},
          { refused: 'FORBIDDEN' },
        ),
        {
          it: 'creates none of many users if one lacks it',
          caller: 'maker',
          collection,
          operation: 'createMany',
          data: [WHOLE, { email: 'second@example.com' }],
          ...required('last_name'),
        },
        {
          it: 'applies to users that are nested in a role',
          caller: 'admin',
          collection: 'service_roles',
          operation: 'create',
          data: { name: 'new', users: [{ email: 'new@example.com' }] },
          ...required('last_name'),
        },
        {
          it: 'does not apply to updates',
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
        made('names missing relations', 'admin', WHOLE, required('role', 'policies')),
        {
          it: 'accepts the role in which a user is nested',
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

it('USER_REQUIRED_FIELDS applies to administrators who are not signed in too', async () => {
  const test = await startTestApp({ env: { USER_REQUIRED_FIELDS: 'last_name' } });
  try {
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    const { data } = await admin.post('/policies', { name: 'Open', admin_access: true });
    expect((await admin.post('/access', { policy: data['id'] })).status).toBe(200);
    const nobody = as(test);
    const refused = await nobody.post('/users', { email: 'new@example.com' });
    expect([refused.status, refused.codes]).toEqual([400, ['FAILED_VALIDATION']]);
    expect(refused.text).toContain('"field":"last_name"');
    expect((await nobody.post('/users', WHOLE)).status).toBe(200);
  } finally {
    await test.close();
  }
});

describe('a start with USER_REQUIRED_FIELDS', () => {
  it.each(['shoe_size', 'email,id', 'tfa_secret'])('is refused with %s', async (fields) => {
    const start = startTestApp({ env: { USER_REQUIRED_FIELDS: fields }, logger: false });
    expect((await refusalOf(start)).message).toContain(
      'USER_REQUIRED_FIELDS must contain only fields',
    );
  });
});
