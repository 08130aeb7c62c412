import {
  as,
  type MailServer,
  signIn,
  startMailServer,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../../support';

const PASSWORD = 'the-first-of-passwords';

let server: MailServer;
let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  server = await startMailServer();
  test = await startTestApp({
    env: {
      SMTP_URL: server.url,
      MAIL_FROM: 'door@example.com',
      PUBLIC_URL: 'https://door.example.com',
    },
  });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  await admin.patch('/settings', { public_registration: true });
});

afterAll(async () => {
  await test?.close();
  await server.close();
});

/** The token in the link of the latest mail, as a mail program reads it. */
async function latestToken(page: string, count: number): Promise<string> {
  const mails = await server.received(count);
  const { mail } = mails.at(-1) ?? {};
  const link = new RegExp(`https://door\\.example\\.com${page}\\?token=([\\w-]{43})`);
  return link.exec(mail?.text ?? '')?.[1] ?? '';
}

it('a registration by mail leads to a user who can sign in', async () => {
  const email = 'ann@example.com';
  const reply = await as(test).post('/register', { email, password: PASSWORD, first_name: 'Ann' });
  expect([reply.status, reply.text]).toEqual([204, '']);
  const token = await latestToken('/users/register/verify-email', 1);
  const verified = await as(test).get(`/users/register/verify-email?token=${token}`);
  expect([verified.status, verified.body]).toEqual([
    200,
    { data: { id: expect.any(String) as string, status: 'active' } },
  ]);
  await signIn(test, { email, password: PASSWORD });
});

it('an invitation by mail leads to a user who can sign in', async () => {
  const email = 'bob@example.com';
  const { data } = await admin.post('/roles', { name: 'Readers' });
  const reply = await admin.post('/users/invite', { email, role: data['id'] });
  expect([reply.status, reply.text]).toEqual([204, '']);
  const token = await latestToken('/admin/accept-invite', 2);
  const accepted = await as(test).post('/users/invite/accept', { token, password: PASSWORD });
  expect([accepted.status, accepted.text]).toEqual([204, '']);
  await signIn(test, { email, password: PASSWORD });
});
