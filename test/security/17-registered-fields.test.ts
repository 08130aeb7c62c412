import {
  anAddress,
  CHOSEN,
  type RegistrationApp,
  openRegistrationApp,
  REGISTRATION_TRANSPORTS,
} from '../support';

let app: RegistrationApp;

beforeAll(async () => {
  app = await openRegistrationApp();
});

afterAll(() => app?.test.close());

const WIDER: readonly (readonly [string, (app: RegistrationApp) => unknown])[] = [
  ['role', ({ admins }) => admins],
  ['policies', ({ all }) => [all]],
  ['policies', ({ all }) => ({ create: [{ policy: all }] })],
  ['status', () => 'active'],
  ['id', () => '11111111-1111-4111-8111-111111111111'],
  ['tfa_secret', () => 'JBSWY3DPEHPK3PXP'],
  ['provider', () => 'acme'],
  ['external_identifier', () => 'x'],
  ['last_access', () => '2020-01-01T00:00:00Z'],
  ['__proto__', () => ({ role: 'x' })],
  ['constructor', () => 'x'],
];

describe.each([true, false])('17: registering, verification %s, with', (verifies) => {
  beforeAll(() => app.set({ public_registration_verify_email: verifies }));

  it.each(WIDER)('%s creates no user, over REST', async (field, value) => {
    const email = anAddress();
    const body = `{"email":"${email}","password":"${CHOSEN}","${field}":${JSON.stringify(value(app))}}`;
    const before = await users();
    for (const path of ['/register', '/users/register']) {
      const response = await fetch(app.test.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect([response.status, await response.text()]).toEqual([204, '']);
    }
    expect(await app.stored(email)).toEqual([]);
    expect(await users()).toEqual(before);
  });

  it.each(WIDER)('%s is not an argument, over GraphQL', async (field) => {
    const email = anAddress();
    const query = `mutation { users_register(email: "${email}", password: "${CHOSEN}", ${field}: "x") }`;
    const reply = await app.nobody.post('/graphql/system', { query });
    expect(reply.status).toBe(400);
    expect(await app.stored(email)).toEqual([]);
  });

  it.each(REGISTRATION_TRANSPORTS)(
    'none of these fields stores a clean row, at $name',
    async (transport) => {
      const email = anAddress();
      await transport.run(app.nobody, 'register', { email, password: CHOSEN, first_name: 'Ann' });
      expect(await app.stored(email)).toEqual([
        {
          id: expect.any(String) as string,
          ...{ email, first_name: 'Ann', last_name: null, role: app.role, policies: 0 },
          status: verifies ? 'unverified' : 'active',
          password: verifies ? null : (expect.stringMatching(/^\$2b\$/) as string),
          ...{ provider: 'default', tfa_secret: null },
        },
      ]);
    },
  );
});

const users = async (): Promise<unknown> => {
  await app.settled();
  return app.test.database.query('SELECT * FROM service_users ORDER BY id');
};
