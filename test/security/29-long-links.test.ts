import { as, recordMails, startTestApp, TEST_ADMIN, type TestApp, tokenIn } from '../support';

let test: TestApp;

beforeAll(async () => {
  const env = { PASSWORD_RESET_URL_ALLOW_LIST: 'https://app.example.com/reset' };
  test = await startTestApp({ env });
});

afterAll(() => test.close());

const request = (letters: string) =>
  as(test).post('/auth/password/request', {
    email: TEST_ADMIN.email,
    reset_url: `https://app.example.com/reset?x=${letters}`,
  });

it('29: a link that would be cut off in its mail is refused, and does not stop another from being sent', async () => {
  const recorded = recordMails(test);
  const refused = await request('é'.repeat(1_000));
  expect([refused.status, refused.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
  expect((await request('é'.repeat(300))).status).toBe(204);
  const [mail] = await recorded.to(TEST_ADMIN.email);
  expect(tokenIn(mail)).not.toBe('');
});
