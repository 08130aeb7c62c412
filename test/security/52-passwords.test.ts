import {
  as,
  asRestReply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../support';

let test: TestApp;
let admin: TestClient;
let user: string;
let hash: unknown;

const storedHash = async (): Promise<unknown> => {
  const [row] = await test.database.query(
    'SELECT password FROM service_users WHERE id = $1::uuid',
    [user],
  );
  return row?.['password'];
};

beforeAll(async () => {
  test = await startTestApp();
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const made = await admin.post('/users', {
    email: 'ann@example.com',
    password: 'three-green-kettles',
  });
  user = String(made.data['id']);
  hash = await storedHash();
});

afterAll(() => test.close());

const UPDATE = `mutation ($id: ID!, $password: String) {
  update_users_item(id: $id, data: { password: $password }) { id }
}`;

const TRANSPORTS = [
  { name: 'REST', set: (password: unknown) => admin.patch(`/users/${user}`, { password }) },
  {
    name: 'GraphQL',
    set: async (password: unknown) =>
      asRestReply(
        await admin.post('/graphql/system', { query: UPDATE, variables: { id: user, password } }),
      ),
  },
] as const;

/** What is sent, and the type of the error; none for a value that no text column accepts. */
const REFUSED: readonly [string, string, string | undefined][] = [
  ['seven characters', 'a1!bC2?', 'min_length'],
  ['seven characters of two units each', '🐢🐢🐢🐢🐢🐢🐢', 'min_length'],
  ['only spaces', ' '.repeat(20), 'min_length'],
  ['only other kinds of spaces', '\u00a0\u2003\t\n'.repeat(5), 'min_length'],
  ['73 bytes', 'x'.repeat(73), 'max_bytes'],
  ['73 bytes in 37 characters', `${'é'.repeat(36)}x`, 'max_bytes'],
  ['the maximum length of the column', 'x'.repeat(255), 'max_bytes'],
  ['U+0000 in it', 'long-enough\0and-more', undefined],
  ['half a surrogate pair', 'long-enough\ud800', undefined],
  ['a common one', 'iloveyou1', 'common'],
  ['a common one in another case', 'PassWord123', 'common'],
  ['digits in a row', '1234567890', 'common'],
  ['keys in a row', 'qwertyuiop', 'common'],
];

describe.each(TRANSPORTS)('52: a password by $name', ({ set }) => {
  it.each(REFUSED)('%s: refused, and nothing changes', async (_, password, type) => {
    const reply = await set(password);
    expect(reply.status).toBe(400);
    expect(reply.codes).toEqual([type === undefined ? 'INVALID_PAYLOAD' : 'FAILED_VALIDATION']);
    expect(reply.text).toContain('"field":"password"');
    if (type !== undefined) expect(reply.text).toContain(`"type":"${type}"`);
    expect(reply.text).not.toContain(password.slice(0, 8));
    expect(await storedHash()).toBe(hash);
  });

  it('72 bytes: accepted, whole', async () => {
    const longest = 'é'.repeat(36);
    expect((await set(longest)).codes).toEqual([]);
    await signIn(test, { email: 'ann@example.com', password: longest });
    // bcrypt itself reads 72 bytes and ignores the rest.
    for (const password of [longest.slice(0, -1), `${longest}x`]) {
      const other = await as(test).post('/auth/login', { email: 'ann@example.com', password });
      expect(other.status).toBe(401);
    }
    hash = await storedHash();
  });

  it('that does not match the pattern of the settings: refused, and the error names the pattern', async () => {
    const policy = '[0-9].*[0-9]';
    expect((await admin.patch('/settings', { auth_password_policy: policy })).status).toBe(200);
    try {
      const reply = await set('four-green-kettles');
      expect([reply.status, reply.codes]).toEqual([400, ['FAILED_VALIDATION']]);
      expect(reply.text).toContain(JSON.stringify(policy));
      expect(await storedHash()).toBe(hash);
      expect((await set('4-green-kettles-2')).codes).toEqual([]);
      hash = await storedHash();
    } finally {
      await admin.patch('/settings', { auth_password_policy: null });
    }
  });
});

describe('settings of signing in that would lock everyone out', () => {
  it.each<[string, object, string]>([
    ['an incomplete pattern', { auth_password_policy: '(' }, 'auth_password_policy'],
    [
      'a pattern with a lookahead or lookbehind',
      { auth_password_policy: '(?=.*[0-9])' },
      'auth_password_policy',
    ],
    [
      'a pattern with a back-reference',
      { auth_password_policy: String.raw`(a)\1` },
      'auth_password_policy',
    ],
    [
      'a pattern between slashes with a flag, which no password would match',
      { auth_password_policy: '/^.{12,}$/i' },
      'auth_password_policy',
    ],
    ['zero attempts', { auth_login_attempts: 0 }, 'auth_login_attempts'],
    ['fewer', { auth_login_attempts: -5 }, 'auth_login_attempts'],
  ])('%s: refused', async (_, body, field) => {
    const before = await test.database.query('SELECT * FROM service_settings');
    const reply = await admin.patch('/settings', body);
    expect([reply.status, reply.codes]).toEqual([400, ['FAILED_VALIDATION']]);
    expect(reply.text).toContain(`"field":"${field}"`);
    expect(await test.database.query('SELECT * FROM service_settings')).toEqual(before);
  });

  it('a pattern that takes exponential time elsewhere is matched quickly', async () => {
    await admin.patch('/settings', { auth_password_policy: '^(([a-z])+.)+[A-Z]([a-z])+$' });
    const reply = await admin.patch(`/users/${user}`, { password: 'a'.repeat(72) });
    expect(reply.codes).toEqual(['FAILED_VALIDATION']);
    await admin.patch('/settings', { auth_password_policy: null });
  });
});

it('the first administrator has none of the commonly tried passwords', async () => {
  const start = startTestApp({ env: { ADMIN_PASSWORD: 'Password123' } });
  await expect(start).rejects.toThrow('ADMIN_PASSWORD is one that everybody tries first');
});
