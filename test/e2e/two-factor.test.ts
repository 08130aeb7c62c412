import {
  as,
  codeOf,
  createPerson,
  enableTfa,
  forgetSteps,
  type Person,
  signIn,
  signInWith,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  wrongCodeOf,
} from '../support';

const PASSWORD = 'a-password-of-theirs';

let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  test = await startTestApp();
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(() => test.close());

const person = (): Promise<Person> => createPerson(test, admin, PASSWORD);

/** The outcome of an operation, over REST or GraphQL. */
interface Outcome {
  readonly codes: readonly string[];
  readonly field: unknown;
  readonly data: Record<string, unknown>;
}

type Body = Readonly<Record<string, string>>;

interface Transport {
  readonly name: string;
  readonly run: (
    client: TestClient,
    operation: 'generate' | 'enable' | 'disable',
    body: Body,
  ) => Promise<Outcome>;
}

const fieldIn = (body: unknown): unknown =>
  (body as { errors?: { extensions: { field?: unknown } }[] } | undefined)?.errors?.[0]?.extensions
    .field;

const SHOWN = {
  generate: '{ secret otpauth_url }',
  enable: '{ recovery_codes }',
  disable: '',
} as const;

const TRANSPORTS: readonly Transport[] = [
  {
    name: 'REST',
    run: async (client, operation, body) => {
      const reply = await client.post(`/users/me/tfa/${operation}`, body);
      const success = operation === 'disable' ? 204 : 200;
      expect(reply.status).toBe(reply.codes.length > 0 ? 400 : success);
      return { codes: reply.codes, field: fieldIn(reply.body), data: reply.data };
    },
  },
  {
    name: 'GraphQL',
    run: async (client, operation, body) => {
      const name = `users_me_tfa_${operation}`;
      const keys = Object.keys(body);
      const query = `mutation (${keys.map((key) => `$${key}: String!`).join(' ')}) {
        ${name}(${keys.map((key) => `${key}: $${key}`).join(' ')}) ${SHOWN[operation]} }`;
      const reply = await client.post('/graphql/system', { query, variables: body });
      const answer = reply.data?.[name] ?? {};
      if (operation === 'disable' && reply.codes.length === 0) expect(answer).toBe(true);
      const data = typeof answer === 'object' ? (answer as Record<string, unknown>) : {};
      return { codes: reply.codes, field: fieldIn(reply.body), data };
    },
  },
];

const REFUSED = (field?: string) => ({
  codes: ['INVALID_PAYLOAD'],
  field,
});

describe.each(TRANSPORTS)('two-factor authentication over $name', ({ run }) => {
  it('is set up with a secret of the service, asked for at sign-in, and switched off', async () => {
    const { client, email } = await person();
    const { data } = await run(client, 'generate', { password: PASSWORD });
    const secret = String(data['secret']);
    expect(data['otpauth_url']).toContain(`secret=${secret}`);
    expect((await signInWith(test, email, PASSWORD)).status).toBe(200);
    const enabled = await run(client, 'enable', { secret, otp: codeOf(secret) });
    expect(enabled.data['recovery_codes']).toHaveLength(10);
    await forgetSteps(test);
    expect((await signInWith(test, email, PASSWORD)).codes).toEqual(['INVALID_OTP']);
    expect((await signInWith(test, email, PASSWORD, codeOf(secret))).status).toBe(200);
    await forgetSteps(test);
    await run(client, 'disable', { otp: codeOf(secret) });
    expect((await signInWith(test, email, PASSWORD)).status).toBe(200);
  });

  it('accepts each recovery code once, at sign-in and to switch two-factor off', async () => {
    const { client, email } = await person();
    const { codes } = await enableTfa(test, client, PASSWORD);
    const [first = '', second = ''] = codes;
    expect((await signInWith(test, email, PASSWORD, first.toUpperCase())).status).toBe(200);
    expect((await signInWith(test, email, PASSWORD, first)).codes).toEqual(['INVALID_OTP']);
    expect(await run(client, 'disable', { otp: first })).toMatchObject(REFUSED('otp'));
    expect((await run(client, 'disable', { otp: second })).codes).toEqual([]);
    expect((await signInWith(test, email, PASSWORD)).status).toBe(200);
  });

  it('shows a secret only to a caller who knows the password', async () => {
    const { client } = await person();
    for (const password of ['not-their-password', `${PASSWORD}!`]) {
      const refused = await run(client, 'generate', { password });
      expect(refused).toMatchObject(REFUSED('password'));
    }
    const { data } = await run(client, 'generate', { password: PASSWORD });
    expect(data['secret']).toEqual(expect.stringMatching(/^[A-Z2-7]{32}$/));
  });

  it('accepts no secret of the user’s own, of another user or of another session', async () => {
    const [ann, bob] = [await person(), await person()];
    const [annSecret, bobSecret] = await Promise.all(
      [ann, bob].map(async ({ client }) =>
        String((await run(client, 'generate', { password: PASSWORD })).data['secret']),
      ),
    );
    const again = as(test, (await signIn(test, { ...ann, password: PASSWORD })).access_token);
    const tries: [TestClient, string | undefined][] = [
      [ann.client, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
      [ann.client, bobSecret],
      [again, annSecret],
    ];
    for (const [client, secret = ''] of tries) {
      const refused = await run(client, 'enable', { secret, otp: codeOf(secret) });
      expect(refused).toMatchObject(REFUSED('secret'));
    }
  });

  it('accepts only the latest secret, for ten minutes, and once', async () => {
    const { client } = await person();
    const secrets: string[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      secrets.push(String((await run(client, 'generate', { password: PASSWORD })).data['secret']));
    }
    const [old = '', latest = ''] = secrets;
    expect(await run(client, 'enable', { secret: old, otp: codeOf(old) })).toMatchObject(
      REFUSED('secret'),
    );
    await test.database.query(
      `UPDATE service_two_factor_offers SET created_at = now() - interval '11 minutes'`,
    );
    expect(await run(client, 'enable', { secret: latest, otp: codeOf(latest) })).toMatchObject(
      REFUSED('secret'),
    );
    await test.database.query('UPDATE service_two_factor_offers SET created_at = now()');
    const body = { secret: latest, otp: codeOf(latest) };
    expect((await run(client, 'enable', body)).codes).toEqual([]);
    expect(await run(client, 'enable', body)).toMatchObject(REFUSED());
    await forgetSteps(test);
    await run(client, 'disable', { otp: codeOf(latest) });
    expect(await run(client, 'enable', body)).toMatchObject(REFUSED('secret'));
  });

  it('cannot be set up again while it is on', async () => {
    const { client } = await person();
    const { secret } = await enableTfa(test, client, PASSWORD);
    expect(await run(client, 'generate', { password: PASSWORD })).toMatchObject(REFUSED());
    expect(await run(client, 'enable', { secret, otp: codeOf(secret) })).toMatchObject(REFUSED());
  });

  it('is neither enabled nor switched off by a wrong code', async () => {
    const { client, email } = await person();
    const { data } = await run(client, 'generate', { password: PASSWORD });
    const secret = String(data['secret']);
    const wrong = { secret, otp: wrongCodeOf(secret) };
    expect(await run(client, 'enable', wrong)).toMatchObject(REFUSED('otp'));
    // The secret is shown but not enabled: its codes prove nothing yet.
    expect(await run(client, 'disable', { otp: codeOf(secret) })).toMatchObject(REFUSED('otp'));
    expect((await signInWith(test, email, PASSWORD)).status).toBe(200);
    await run(client, 'enable', { secret, otp: codeOf(secret) });
    expect(await run(client, 'disable', { otp: wrongCodeOf(secret) })).toMatchObject(
      REFUSED('otp'),
    );
    expect((await signInWith(test, email, PASSWORD)).codes).toEqual(['INVALID_OTP']);
  });
});

const disableFor = [
  {
    name: 'POST /users/{id}/tfa/disable',
    run: (client: TestClient, id: string) => client.post(`/users/${id}/tfa/disable`, {}),
  },
  {
    name: 'PATCH /users/{id}',
    run: (client: TestClient, id: string) => client.patch(`/users/${id}`, { tfa_secret: null }),
  },
  {
    name: 'users_tfa_disable',
    run: (client: TestClient, id: string) =>
      client.post('/graphql/system', {
        query: `mutation { users_tfa_disable(id: "${id}") }`,
      }),
  },
  {
    name: 'update_users_item',
    run: (client: TestClient, id: string) =>
      client.post('/graphql/system', {
        query: `mutation { update_users_item(id: "${id}", data: { tfa_secret: null }) { id } }`,
      }),
  },
];

describe.each(disableFor)('an administrator, by $name,', ({ run }) => {
  it('switches it off for a user, who then sets it up again', async () => {
    const { client, email, id } = await person();
    const { secret, codes } = await enableTfa(test, client, PASSWORD);
    const reply = await run(admin, id);
    expect(reply.codes).toEqual([]);
    expect((await signInWith(test, email, PASSWORD)).status).toBe(200);
    const kept = await test.database.query(
      'SELECT 1 FROM service_two_factor WHERE "user" = $1::uuid',
      [id],
    );
    expect(kept).toEqual([]);
    const next = await enableTfa(test, client, PASSWORD);
    for (const otp of [codes[0], codeOf(secret)]) {
      expect((await signInWith(test, email, PASSWORD, otp)).codes).toEqual(['INVALID_OTP']);
    }
    expect((await signInWith(test, email, PASSWORD, codeOf(next.secret))).status).toBe(200);
  });

  it('cannot do so for a user who does not exist, nor can other users for anyone', async () => {
    const [ann, bob] = [await person(), await person()];
    await enableTfa(test, ann.client, PASSWORD);
    const missing = await run(admin, '0b7a3c62-0000-4000-8000-000000000000');
    expect(missing.codes).toEqual(['FORBIDDEN']);
    expect((await run(bob.client, ann.id)).codes).toEqual(['FORBIDDEN']);
    expect((await signInWith(test, ann.email, PASSWORD)).codes).toEqual(['INVALID_OTP']);
  });

  it('cannot do so for themselves', async () => {
    const { client, id, email } = await person();
    const { data } = await admin.get('/users/me?fields=role');
    await admin.patch(`/users/${id}`, { role: data['role'] });
    await enableTfa(test, client, PASSWORD);
    const refused = await run(client, id);
    expect([refused.codes, fieldIn(refused.body)]).toEqual([['INVALID_PAYLOAD'], 'tfa_secret']);
    expect((await signInWith(test, email, PASSWORD)).codes).toEqual(['INVALID_OTP']);
  });
});
