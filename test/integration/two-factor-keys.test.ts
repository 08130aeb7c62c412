import {
  as,
  codeOf,
  enableTfa,
  type Enabled,
  forgetSteps,
  makeLastingStorage,
  refusalOf,
  signIn,
  signInWith,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestStorage,
} from '../support';

const [FIRST, SECOND, THIRD] = [
  'Tq8zW3nLr6VkXb1sJc5MfYh9PdGe2AuR',
  'Bv4mK7xTz2QwNc9rLs6HjYd1FgPe8UaX',
  'Hn5cR8wPy3VbKt7zMq1XsLf6JdGe9UaT',
];
const { email, password } = TEST_ADMIN;

let own: TestStorage;
let enabled: Enabled;
/** The ids of the keys that the secret was sealed with. */
let before: string[];

const start = (SECRET: string): Promise<TestApp> =>
  startTestApp({ storage: own.storage, env: { SECRET } });

const login = (test: TestApp, otp: string) => signInWith(test, email, password, otp);

async function whileRunning(secret: string, work: (test: TestApp) => Promise<void>): Promise<void> {
  const test = await start(secret);
  try {
    await work(test);
  } finally {
    await test.close();
  }
}

/**
 * The keys in use. Secrets under an older key are sealed again in the background, at the latest when the application
 * ends.
 */
const sealedBy = async ({ database }: TestApp): Promise<string[]> => {
  const rows = await database.query<{ id: string }>(
    `SELECT split_part(tfa_secret, '.', 1) AS id FROM service_users WHERE tfa_secret IS NOT NULL
     UNION SELECT split_part(recovery_codes, '.', 1) FROM service_two_factor`,
  );
  return rows.map(({ id }) => id);
};

beforeAll(async () => {
  own = await makeLastingStorage();
  await whileRunning(FIRST ?? '', async (test) => {
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    enabled = await enableTfa(test, admin, password);
    before = await sealedBy(test);
  });
});

afterAll(() => own.drop());

it('a second factor survives a new SECRET if the old one is listed at one start', async () => {
  await whileRunning(`${SECOND},${FIRST}`, async (test) => {
    await forgetSteps(test);
    expect((await login(test, codeOf(enabled.secret))).status).toBe(200);
    expect((await login(test, enabled.codes[0] ?? '')).status).toBe(200);
  });
  await whileRunning(SECOND ?? '', async (test) => {
    await forgetSteps(test);
    expect((await login(test, codeOf(enabled.secret))).status).toBe(200);
    expect((await login(test, enabled.codes[0] ?? '')).codes).toEqual(['INVALID_OTP']);
    expect((await login(test, enabled.codes[1] ?? '')).status).toBe(200);
    const after = await sealedBy(test);
    expect(after).toHaveLength(1);
    expect(before).not.toEqual(after);
  });
});

it('a start without its key is refused', async () => {
  expect((await refusalOf(start(THIRD ?? ''))).message).toContain('SECRET');
  await whileRunning(SECOND ?? '', async (test) => {
    expect((await login(test, enabled.codes[2] ?? '')).status).toBe(200);
  });
});
