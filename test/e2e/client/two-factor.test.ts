import {
  authentication,
  createDirectus,
  disableTwoFactor,
  enableTwoFactor,
  generateTwoFactorSecret,
  readMe,
  rest,
} from '@directus/sdk';
import {
  Browser,
  codeOf,
  forgetSteps,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../../support';

/** The published client, unchanged. */

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

const client = () =>
  createDirectus(test.url, { globals: { fetch: new Browser(test).fetch } })
    .with(authentication('session', { credentials: 'include', autoRefresh: false }))
    .with(rest({ credentials: 'include' }));

const codesOf = async (asked: Promise<unknown>): Promise<unknown> => {
  const failure = (await asked.then(
    () => undefined,
    (error: unknown) => error,
  )) as { errors: { extensions: { code: string } }[] } | undefined;
  return failure?.errors.map(({ extensions }) => extensions.code);
};

it('the client sets two-factor up, signs in with it and switches it off', async () => {
  const first = client();
  await first.login({ ...TEST_ADMIN });
  const { secret, otpauth_url } = await first.request(generateTwoFactorSecret(TEST_ADMIN.password));
  expect(otpauth_url).toContain(secret);
  const wrong = first.request(enableTwoFactor(secret, '000'));
  expect(await codesOf(wrong)).toEqual(['INVALID_PAYLOAD']);
  await first.request(enableTwoFactor(secret, codeOf(secret)));
  await forgetSteps(test);

  const second = client();
  expect(await codesOf(second.login({ ...TEST_ADMIN }))).toEqual(['INVALID_OTP']);
  await second.login({ ...TEST_ADMIN }, { otp: codeOf(secret) });
  expect(await second.request(readMe({ fields: ['tfa_secret'] }))).toEqual({
    tfa_secret: '**********',
  });
  await forgetSteps(test);
  await second.request(disableTwoFactor(codeOf(secret)));
  await client().login({ ...TEST_ADMIN });
});
