import {
  as,
  codeOf,
  createPerson,
  enableTfa,
  type Person,
  type Reply,
  signIn,
  signInWith,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../../support';

const PASSWORD = 'a-password-of-theirs';

let test: TestApp;
let admin: TestClient;
let role: unknown;

beforeAll(async () => {
  test = await startTestApp();
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  role = (await admin.get('/users/me?fields=role')).data['role'];
});

afterAll(() => test.close());

const person = (more: object = { role }): Promise<Person> =>
  createPerson(test, admin, PASSWORD, more);

const stored = ({ id }: Person): Promise<unknown> =>
  test.database.query('SELECT * FROM service_users WHERE id = $1::uuid', [id]);

const OWN = 'mutation ($data: update_users_input!) { update_users_me(data: $data) { id } }';
const ONE =
  'mutation ($id: ID!, $data: update_users_input!) { update_users_item(id: $id, data: $data) { id } }';

type Send = (person: Person, data: object) => Promise<Reply>;

const CHANGES: Readonly<Record<string, Send>> = {
  'PATCH /users/me': ({ client }, data) => client.patch('/users/me', data),
  'PATCH /users/{id}': ({ client, id }, data) => client.patch(`/users/${id}`, data),
  update_users_me: ({ client }, data) => client.graphql(OWN, { data }, '/graphql/system'),
  update_users_item: ({ client, id }, data) => client.graphql(ONE, { id, data }, '/graphql/system'),
};

const faultsOf = ({ body }: Reply): unknown[] =>
  (body as { errors: { message: string }[] }).errors.map(({ message }) => message);

const refusal = (field: string): string =>
  `Invalid payload: "${field}" must not be null, since you need it to sign in.`;

describe.each(Object.entries(CHANGES))('with a proof, by %s,', (_, send) => {
  it('nobody takes the password or the address from themselves', async () => {
    const ann = await person();
    const otp = codeOf((await enableTfa(test, ann.client, PASSWORD)).secret);
    const before = await stored(ann);
    for (const proof of [{ otp }, { current_password: PASSWORD }]) {
      const [password, email] = [{ password: null }, { email: null }];
      expect(faultsOf(await send(ann, { ...password, ...proof }))).toEqual([refusal('password')]);
      expect(faultsOf(await send(ann, { ...email, ...proof }))).toEqual([refusal('email')]);
      const both = await send(ann, { ...password, ...email, ...proof });
      expect(faultsOf(both)).toEqual([refusal('email'), refusal('password')]);
    }
    expect(await stored(ann)).toEqual(before);
    // The refusals have not used up the one-time password.
    expect((await send(ann, { password: 'another-one-of-theirs', otp })).codes).toEqual([]);
  });

  it('whoever moves to a provider needs neither', async () => {
    const ann = await person();
    const moved = { provider: 'acme', external_identifier: ann.id, password: null, email: null };
    expect((await send(ann, { ...moved, current_password: PASSWORD })).codes).toEqual([]);
  });
});

it('nobody takes the password from themselves without a rule either', async () => {
  const ann = await person({});
  const change = { password: null, current_password: PASSWORD };
  expect(faultsOf(await ann.client.patch('/users/me', change))).toEqual([refusal('password')]);
  expect((await signInWith(test, ann.email, PASSWORD)).status).toBe(200);
});

it('an administrator takes the password of others, who can ask for a new one', async () => {
  const ann = await person({});
  expect((await admin.patch(`/users/${ann.id}`, { password: null })).status).toBe(200);
  expect((await signInWith(test, ann.email, PASSWORD)).status).toBe(401);
});
