import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await startTestApp();
  token = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

const password = 'three-green-kettles';
const stored = (): Promise<object[]> =>
  test.database.query('SELECT id, email FROM service_users ORDER BY id');

const ODD = [
  'a@example.com, b@example.com',
  'a@example.com,b@example.com',
  'a@example.com;b@example.com',
  'a@example.com b@example.com',
  'a@example.com\nb@example.com',
  'a@example.com\r\nBcc: b@example.com',
  '\na@example.com',
  'a@example.com\n',
  ' a@example.com',
  'a@example.com ',
  '"a,b"@example.com',
  '"a\nb"@example.com',
  '"a b"@example.com',
  'Ann <a@example.com>',
  '<a@example.com>',
  'mailto:a@example.com',
  'a@b@example.com',
  'a@exam,ple.com',
  'a@example.com?cc=b@example.com',
  'ann',
  '@example.com',
  'a@',
  'a@[127.0.0.1]',
  // Looks like another address, or leads to the same mailbox as another.
  'a\u200b@example.com',
  'a@xn--bcher-kva.example',
];

describe('43: an address', () => {
  it.each(ODD.map((email) => [email]))('that is malformed is refused: %j', async (email) => {
    const before = await stored();
    const replies = [
      await as(test, token).post('/users', { email, password }),
      await as(test, token).patch('/users/me', { email, current_password: TEST_ADMIN.password }),
      await as(test, token).post('/graphql/system', {
        query: 'mutation ($email: String) { create_users_item(data: {email: $email}) { id } }',
        variables: { email },
      }),
    ];
    for (const reply of replies) {
      expect(reply.codes).toEqual(['FAILED_VALIDATION']);
      expect(reply.text).toContain('"email"');
    }
    expect(await stored()).toEqual(before);
  });

  it.each(['zoë.ångström+x@bücher.example', "o'neil@example.com", 'a_b-c%d@sub.example.co'])(
    'that is valid is accepted: %s',
    async (email) => {
      expect((await as(test, token).post('/users', { email, password })).status).toBe(200);
      expect(
        (await signIn(test, { email: email.toUpperCase(), password })).expires,
      ).toBeGreaterThan(0);
    },
  );
});

describe('43: twins by case, accent and width', () => {
  it.each([
    ['ÄNNE@example.com', 'änne@example.com'],
    ['ΣΊΣΥΦΟΣ@example.com', 'σίσυφος@example.com'],
    ['ИВАН@example.com', 'иван@example.com'],
    ['ÐÓRA@example.com', 'ðóra@example.com'],
    ['zoe\u0301@example.com', 'zo\u00e9@example.com'],
    ['\uff56ictor@example.com', 'victor@example.com'],
  ])('are one address: %s', async (upper, lower) => {
    expect((await as(test, token).post('/users', { email: upper, password })).status).toBe(200);
    const twin = await as(test, token).post('/users', { email: lower, password });
    expect(twin.codes).toEqual(['RECORD_NOT_UNIQUE']);
    expect(twin.text).toContain('"email"');
    expect((await signIn(test, { email: lower, password })).expires).toBeGreaterThan(0);
  });
});
