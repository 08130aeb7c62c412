import {
  createDirectus,
  graphql,
  login,
  passwordRequest,
  passwordReset,
  rest,
} from '@directus/sdk';
import {
  as,
  recordMails,
  type RecordedMails,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../../support';

/** The published client, unchanged. */

const EMAIL = 'ann@example.com';
const PAGE = 'https://app.example.com/reset';

let test: TestApp;
let recorded: RecordedMails;

beforeAll(async () => {
  test = await startTestApp({ env: { PASSWORD_RESET_URL_ALLOW_LIST: PAGE } });
  recorded = recordMails(test);
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  await admin.post('/users', { email: EMAIL, password: 'the-first-of-passwords' });
});

afterAll(() => test.close());

it('asks for a new password, sets it and signs in with it', async () => {
  const client = createDirectus(test.url).with(rest());
  await client.request(passwordRequest(EMAIL, PAGE));
  const [mail] = await recorded.to(EMAIL);
  expect(mail?.values['url']?.startsWith(`${PAGE}?token=`)).toBe(true);
  await client.request(passwordReset(await recorded.tokenFor(EMAIL), 'the-second-of-passwords'));
  const tokens = await client.request(login({ email: EMAIL, password: 'the-second-of-passwords' }));
  expect(tokens.access_token).toEqual(expect.any(String));
});

it('gets the reason of a refusal', async () => {
  const client = createDirectus(test.url).with(rest());
  const refused = (code: string) => ({ errors: [{ extensions: { code } }] });
  await expect(
    client.request(passwordRequest(EMAIL, 'https://evil.example.com')),
  ).rejects.toMatchObject(refused('INVALID_PAYLOAD'));
  await expect(client.request(passwordReset('x', 'some-new-password'))).rejects.toMatchObject(
    refused('INVALID_TOKEN'),
  );
});

it('does the same by GraphQL', async () => {
  const client = createDirectus(test.url).with(graphql());
  const email = JSON.stringify(EMAIL);
  const asked = `mutation { auth_password_request(email: ${email}) }`;
  expect(await client.query(asked, {}, 'system')).toEqual({ auth_password_request: true });
  const reset = `mutation ($token: String!, $password: String!) {
    auth_password_reset(token: $token, password: $password)
  }`;
  const values = { token: await recorded.tokenFor(EMAIL), password: 'the-third-of-passwords' };
  expect(await client.query(reset, values, 'system')).toEqual({ auth_password_reset: true });
  await signIn(test, { email: EMAIL, password: values.password });
});
