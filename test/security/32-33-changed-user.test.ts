import { Accounts } from '../../src/auth/accounts';
import { Sessions } from '../../src/auth/sessions/sessions';
import { InvalidCredentials } from '../../src/common/errors';
import {
  as,
  AUTH_TRANSPORTS,
  Browser,
  recordMails,
  type RecordedMails,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

/** A client that is not signed in. */
const NOWHERE = { ip: null, device: null, origin: null };

let test: TestApp;
let admin: string;
let recorded: RecordedMails;
let count = 0;

const PASSWORD = 'long-enough-for-anyone';

interface Person {
  id: string;
  email: string;
  access: string;
  refresh: string;
}

beforeAll(async () => {
  test = await startTestApp();
  recorded = recordMails(test);
  admin = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

async function createPerson(): Promise<Person> {
  const email = `person-${(count += 1)}@example.com`;
  const reply = await as(test, admin).post('/users', { email, password: PASSWORD });
  const tokens = await signIn(test, { email, password: PASSWORD });
  const person = { id: String(reply.data['id']), email };
  return { ...person, access: tokens.access_token, refresh: tokens.refresh_token };
}

const me = (person: Person): Promise<Reply> => as(test, person.access).get('/users/me');
const refresh = (person: Person): Promise<Reply> =>
  as(test).post('/auth/refresh', { refresh_token: person.refresh });

async function locked(person: Person): Promise<void> {
  expect((await me(person)).codes).toEqual(['INVALID_CREDENTIALS']);
  expect((await refresh(person)).codes).toEqual(['INVALID_CREDENTIALS']);
}

const change = async (person: Person, values: object): Promise<void> => {
  expect((await as(test, admin).patch(`/users/${person.id}`, values)).status).toBe(200);
};

describe('32: after a change of password', () => {
  it('all sessions of the user are void, and only the new password is accepted', async () => {
    const person = await createPerson();
    const bystander = await createPerson();
    expect((await me(person)).status).toBe(200);
    await change(person, { password: 'another-long-password' });
    await locked(person);
    expect((await me(bystander)).status).toBe(200);
    const old = await as(test).post('/auth/login', { email: person.email, password: PASSWORD });
    expect(old.status).toBe(401);
    await signIn(test, { email: person.email, password: 'another-long-password' });
  });

  it.each([{ password: 'another-long-password' }, { status: 'suspended' }])(
    'or of status (%j), a sign-in that was under way starts no session',
    async (values) => {
      const person = await createPerson();
      const proven = await test.app
        .get(Accounts)
        .verifyCredentials({ email: person.email, password: PASSWORD }, NOWHERE);
      await change(person, values);
      const beginning = test.app.get(Sessions).begin(proven, NOWHERE, 60_000);
      await expect(beginning).rejects.toThrow(InvalidCredentials);
      const left = await test.database.query('SELECT 1 FROM service_sessions WHERE "user" = $1', [
        person.id,
      ]);
      expect(left).toEqual([]);
    },
  );

  it('a change of other fields does not end them', async () => {
    const person = await createPerson();
    await change(person, { first_name: 'Ada' });
    expect((await me(person)).data['first_name']).toBe('Ada');
    expect((await refresh(person)).status).toBe(200);
  });
});

describe.each(AUTH_TRANSPORTS)('32: after a reset of the password at $name', (transport) => {
  it('all sessions of the user are void, by bearer, refresh and cookie', async () => {
    const person = await createPerson();
    const bystander = await createPerson();
    const { email } = person;
    const browser = new Browser(test);
    await transport.run(browser, 'login', { email, password: PASSWORD, mode: 'session' });
    const page = new Browser(test);
    await transport.run(page, 'login', { email, password: PASSWORD, mode: 'cookie' });
    expect((await browser.send('GET', '/users/me')).status).toBe(200);
    expect((await me(person)).status).toBe(200);
    await transport.run(browser, 'password/request', { email });
    const token = await recorded.tokenFor(email);
    expect((await me(person)).status).toBe(200);
    const reset = { token, password: 'another-long-password' };
    expect((await transport.run(browser, 'password/reset', reset)).codes).toEqual([]);
    await locked(person);
    expect((await browser.send('GET', '/users/me')).codes).toEqual(['INVALID_CREDENTIALS']);
    expect((await transport.run(page, 'refresh', { mode: 'cookie' })).codes).toEqual([
      'INVALID_CREDENTIALS',
    ]);
    expect((await me(bystander)).status).toBe(200);
    const left = 'SELECT 1 FROM service_sessions WHERE "user" = $1';
    expect(await test.database.query(left, [person.id])).toEqual([]);
    await signIn(test, { email, password: 'another-long-password' });
  });

  it('that was refused, the sessions remain', async () => {
    const person = await createPerson();
    const weak = await transport.run(new Browser(test), 'password/reset', {
      token: 'x'.repeat(43),
      password: 'another-long-password',
    });
    expect(weak.codes).toEqual(['INVALID_TOKEN']);
    expect((await me(person)).status).toBe(200);
  });

  it('a sign-in that was under way starts no session', async () => {
    const person = await createPerson();
    const proven = await test.app
      .get(Accounts)
      .verifyCredentials({ email: person.email, password: PASSWORD }, NOWHERE);
    await transport.run(new Browser(test), 'password/request', { email: person.email });
    const token = await recorded.tokenFor(person.email);
    const reset = { token, password: 'another-long-password' };
    expect((await transport.run(new Browser(test), 'password/reset', reset)).codes).toEqual([]);
    const beginning = test.app.get(Sessions).begin(proven, NOWHERE, 60_000);
    await expect(beginning).rejects.toThrow(InvalidCredentials);
  });
});

describe('33: the next request of a user', () => {
  it.each(['suspended', 'archived', 'draft', 'invited', 'unverified'])(
    'who is now %s is refused, and stays so when active again',
    async (status) => {
      const person = await createPerson();
      expect((await me(person)).status).toBe(200);
      await change(person, { status });
      await locked(person);
      await change(person, { status: 'active' });
      await locked(person);
    },
  );

  it.each([
    { provider: 'acme', external_identifier: 'ann' },
    { provider: 'acme', external_identifier: null },
    { external_identifier: 'ann' },
  ])('who is to sign in elsewhere is refused (%j)', async (values) => {
    const person = await createPerson();
    expect((await me(person)).status).toBe(200);
    await change(person, values);
    await locked(person);
  });

  it('who sends themselves elsewhere is refused, even along with a new password', async () => {
    const person = await createPerson();
    const { data } = await as(test, admin).get('/users/me?fields=role');
    await change(person, { role: data['role'] });
    const values = { provider: 'acme', password: 'another-long-password' };
    const moved = await as(test, person.access).patch('/users/me', {
      ...values,
      current_password: PASSWORD,
    });
    expect(moved.codes).toEqual([]);
    await locked(person);
  });

  it('who was removed from a role no longer has its rights', async () => {
    const person = await createPerson();
    const [role] = await test.database.query<{ id: string }>('SELECT id FROM service_roles');
    await change(person, { role: role?.id });
    expect((await as(test, person.access).get('/users')).status).toBe(200);
    await change(person, { role: null });
    expect((await as(test, person.access).get('/users')).status).toBe(403);
  });
});
