import {
  AUTH_TRANSPORTS,
  as,
  Browser,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  recordStatements,
} from '../support';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

/** Values that are not strings; also `null`, which GraphQL treats as not given. */
const NOT_STRINGS: readonly unknown[] = [
  ...[{}, { a: 'b' }, { $ne: null }, { toString: 'x' }],
  ...[[], ['x'], [['x']], [null], 0, 17, 1.5, true, false, null],
];

/** Expects that no statement reads a user or a session. */
async function expectNoLookup(work: () => Promise<void>): Promise<void> {
  const recorded = recordStatements(test.database);
  try {
    await work();
    const asked = recorded.statements.map(({ text }) => text);
    expect(asked.filter((text) => /service_(users|sessions)/.test(text))).toEqual([]);
    expect(recorded.transactions()).toBe(0);
  } finally {
    recorded.stop();
  }
}

const send = (body: string, path = '/auth/login') => new Browser(test).send('POST', path, body);

describe.each(AUTH_TRANSPORTS)('at $name', (transport) => {
  const run = (...[operation, body]: [Parameters<typeof transport.run>[1], object]) =>
    transport.run(new Browser(test), operation, { ...body });

  describe.each(['refresh', 'logout'] as const)('41: a token to %s', (operation) => {
    it.each(NOT_STRINGS)('given as %j is malformed', async (refresh_token) => {
      await expectNoLookup(async () => {
        const { status, codes } = await run(operation, { refresh_token });
        expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
      });
    });

    it('given as an empty string is malformed, and as any other text is unknown', async () => {
      const { refresh_token } = await signIn(test, TEST_ADMIN);
      const empty = await run(operation, { refresh_token: '' });
      expect([empty.status, empty.field]).toEqual([400, 'refresh_token']);
      const strange = ['x', ' ', 'null', '[]', '{}', `["${refresh_token}"]`, 'x'.repeat(100_000)];
      for (const token of strange) {
        const { status, codes } = await run(operation, { refresh_token: token });
        expect([status === 401, codes]).toEqual(
          operation === 'refresh' ? [true, ['INVALID_CREDENTIALS']] : [false, []],
        );
      }
      // The malformed tokens have not ended the real session.
      expect((await run('refresh', { refresh_token })).codes).toEqual([]);
    });
  });

  describe('41: a token to set a new password', () => {
    it.each(NOT_STRINGS)('given as %j is malformed, as is the password', async (value) => {
      await expectNoLookup(async () => {
        for (const field of ['token', 'password']) {
          const body = { token: 'x', password: 'a-new-password', [field]: value };
          const { status, codes } = await run('password/reset', body);
          expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
        }
      });
    });
  });

  describe.each(['email', 'reset_url'])('42: a request for a new password with %s', (field) => {
    const values = field === 'email' ? NOT_STRINGS : NOT_STRINGS.filter((value) => value !== null);
    it.each([...values, '', 'x', 'a@b', '@', 'a@example.com,b@example.com'])(
      'given as %j is refused before anything is looked up',
      async (value) => {
        await expectNoLookup(async () => {
          const body = { email: TEST_ADMIN.email, [field]: value };
          const { status, codes } = await run('password/request', body);
          expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
        });
      },
    );
  });

  describe.each(['email', 'password'])('42: sign-in with %s', (field) => {
    it.each(NOT_STRINGS)('given as %j is refused before anything is looked up', async (value) => {
      await expectNoLookup(async () => {
        const { status, codes } = await run('login', { ...TEST_ADMIN, [field]: value });
        expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
      });
    });
  });

  // Unlike its length, the time that normalising such marks takes grows with the square of their number.
  it.each([
    ['marks', 'a\u0315\u0300'.padEnd(256, '\u0315\u0300')],
    ['many marks', `a${'\u0315\u0300'.repeat(60_000)}`],
    ['variants', `a${'\u0315\uFE0F\u0300\uFE0F'.repeat(30_000)}`],
  ])(
    '42: an address longer than any user’s (%s) is refused before it is folded',
    async (_, email) => {
      await expectNoLookup(async () => {
        const { status, codes, field } = await run('login', { ...TEST_ADMIN, email });
        expect([status, codes, field]).toEqual([400, ['INVALID_PAYLOAD'], 'email']);
      });
    },
  );

  it('42: one as long as a user’s may be is looked up', async () => {
    const email = 'a\u0315\u0300'.padEnd(255, '\u0315\u0300');
    expect((await run('login', { ...TEST_ADMIN, email })).codes).toEqual(['INVALID_CREDENTIALS']);
  });

  it.each(['mode', 'otp'])('42: %s of the wrong type is refused as well', async (field) => {
    for (const value of [{}, ['json'], 17, true]) {
      const { status, codes } = await run('login', { ...TEST_ADMIN, [field]: value });
      expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    }
  });
});

describe('42: a name given twice', () => {
  const { email, password } = TEST_ADMIN;

  it.each([
    `{"email":"${email}","email":"other@example.com","password":"${password}"}`,
    `{"email":"other@example.com","email":"${email}","password":"${password}"}`,
    `{"email":"${email}","email":"${email}","password":"${password}"}`,
    String.raw`{"email":"other@example.com","\u0065mail":"${email}","password":"${password}"}`,
    `{"email":"${email}","password":"wrong","password":"${password}"}`,
  ])('is refused: %s', async (body) => {
    await expectNoLookup(async () => {
      const { status, codes, text } = await send(body);
      expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
      for (const value of [email, 'other@example.com', password]) expect(text).not.toContain(value);
    });
  });

  it('is refused in the variables and arguments of GraphQL', async () => {
    const login =
      'mutation ($email: String!) { auth_login(email: $email, password: "x") { expires } }';
    const body = `{"query":${JSON.stringify(login)},"variables":{"email":"a","email":"${email}"}}`;
    await expectNoLookup(async () => {
      expect((await send(body, '/graphql/system')).codes).toEqual(['INVALID_PAYLOAD']);
      const query = `mutation { auth_login(email: "a", email: "${email}", password: "x") { expires } }`;
      const reply = await as(test).post('/graphql/system', { query });
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
    });
  });

  it('is refused deep inside any other body', async () => {
    const { access_token } = await signIn(test, TEST_ADMIN);
    const rule =
      '{"collection":"service_users","action":"read","permissions":{"id":{"_eq":1,"_eq":2}}}';
    const headers = { authorization: `Bearer ${access_token}` };
    const reply = await new Browser(test).send('POST', '/permissions', rule, headers);
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
  });

  it('is allowed in two separate objects', async () => {
    const { access_token } = await signIn(test, TEST_ADMIN);
    const roles = [{ name: 'one' }, { name: 'two' }];
    expect((await as(test, access_token).post('/roles', roles)).status).toBe(200);
  });
});
