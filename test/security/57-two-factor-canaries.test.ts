import {
  as,
  changeBySql,
  codeOf,
  enableTfa,
  forgetSteps,
  signIn,
  signInWith,
  startTestApp,
  verboseLogger,
  TEST_ADMIN,
  type TestApp,
  wrongCodeOf,
} from '../support';

const { email, password } = TEST_ADMIN;

let test: TestApp;
const written: string[] = [];

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) {
    const note = (chunk: unknown): boolean => written.push(String(chunk)) > 0;
    jest.spyOn(stream, 'write').mockImplementation(note);
  }
  test = await startTestApp();
  // The most verbose logger.
  test.app.useLogger(verboseLogger());
});

afterAll(async () => {
  await test.close();
  jest.restoreAllMocks();
});

it('57: no secret of two-factor authentication, no code and no password is logged or answered', async () => {
  const me = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const { secret, codes } = await enableTfa(test, me, password);
  const wrong = wrongCodeOf(secret);
  const answers = [
    await signInWith(test, email, password),
    await signInWith(test, email, password, wrong),
    await me.post('/users/me/tfa/enable', { secret, otp: wrong }),
    await me.patch('/users/me', { email: 'x@example.com', otp: wrong }),
    await me.patch('/users/me', { password: 'a-new-canary-password', current_password: wrong }),
    await me.post('/users/me/tfa/disable', { otp: wrong }),
    await me.get('/users?fields=*'),
    await me.get('/users/me?fields=*'),
    await me.post('/graphql/system', { query: '{ users_me { tfa_secret password } }' }),
    await signInWith(test, email, password, codes[0]),
  ];
  // A secret that cannot be decrypted is logged, with only the user's id.
  await changeBySql(test, `UPDATE service_users SET tfa_secret = left(tfa_secret, -4) || 'AAAA'`);
  await forgetSteps(test);
  answers.push(await signInWith(test, email, password, codeOf(secret)));
  expect(answers.at(-1)?.codes).toEqual(['INVALID_OTP']);
  const rows = JSON.stringify([
    await test.database.query('SELECT tfa_secret FROM service_users'),
    await test.database.query('SELECT recovery_codes FROM service_two_factor'),
  ]);
  const told = [...written, ...answers.map(({ text }) => text), rows].join('\n');
  expect(told).toContain('cannot be opened');
  const canaries = [secret, password, wrong, 'a-new-canary-password', ...codes.slice(0, 10)];
  for (const canary of canaries) expect(told).not.toContain(canary);
});
