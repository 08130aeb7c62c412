import { randomUUID } from 'node:crypto';
import {
  as,
  AUTH_TRANSPORTS,
  Browser,
  recordMails,
  type RecordedMails,
  sendRaw,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';
import { BYPASSES } from './bypasses';

let test: TestApp;
let admin: string;
let recorded: RecordedMails;

beforeAll(async () => {
  test = await startTestApp({
    env: {
      PUBLIC_URL: 'https://door.example.com',
      PASSWORD_RESET_URL_ALLOW_LIST: 'https://good.com/app, https://other.com:8443',
    },
  });
  recorded = recordMails(test);
  admin = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

async function createUser(values: object = {}): Promise<string> {
  const email = `user-${randomUUID()}@example.com`;
  const reply = await as(test, admin).post('/users', { email, ...values });
  expect(reply.status).toBe(200);
  return email;
}

describe.each(AUTH_TRANSPORTS)('53: at $name a URL for the link', (transport) => {
  const request = (email: string, reset_url: string) =>
    transport.run(new Browser(test), 'password/request', { email, reset_url });

  it.each(BYPASSES)('that only looks like one of the list is refused: %j', async (url) => {
    const email = await createUser();
    const { codes, field, text } = await request(email, url);
    expect([codes, field]).toEqual([['INVALID_PAYLOAD'], 'reset_url']);
    expect(text).not.toContain(url);
    expect(await recorded.to(email)).toEqual([]);
  });

  it('is mailed as it is parsed', async () => {
    const email = await createUser();
    expect((await request(email, 'HTTPS://GOOD.com:443/x/../app/"><b>?a="')).codes).toEqual([]);
    const [mail] = await recorded.to(email);
    expect(mail?.values['url']).toMatch(
      /^https:\/\/good\.com\/app\/%22%3E%3Cb%3E\?a=%22&token=[\w-]{43}$/,
    );
  });
});

describe('55: a link in a mail', () => {
  const body = (email: string): string => JSON.stringify({ email });

  it.each([
    { host: 'evil.example' },
    { host: 'door.example.com:81' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
    { forwarded: 'host=evil.example;proto=http' },
    { 'x-original-host': 'evil.example', origin: 'https://evil.example' },
    { referer: 'https://evil.example/' },
  ])('is based on PUBLIC_URL alone, whatever the headers say: %j', async (headers) => {
    const email = await createUser();
    const sent = Object.entries({ host: 'localhost', ...headers });
    const lines = sent.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const answer = await sendRaw(
      test,
      `POST /auth/password/request HTTP/1.1\r\n${lines}content-type: application/json\r\n` +
        `content-length: ${body(email).length}\r\nconnection: close\r\n\r\n${body(email)}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 204 /);
    const [mail] = await recorded.to(email);
    expect(mail?.values['url']).toMatch(
      /^https:\/\/door\.example\.com\/admin\/reset-password\?token=[\w-]{43}$/,
    );
  });

  it.each([
    'admin@example.com\r\nBcc: evil@evil.example',
    'admin@example.com\nevil@evil.example',
    'admin@example.com, evil@evil.example',
    'admin@example.com;evil@evil.example',
    'Admin <admin@example.com>',
    '"admin@example.com, evil"@evil.example',
    '"a b"@example.com',
    'admin@example.com\u0000',
    '<admin@example.com>',
  ])('is requested for exactly one address on one line: %j', async (email) => {
    const count = recorded.mails.length;
    const reply = await as(test).post('/auth/password/request', { email });
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(reply.text).not.toContain('evil');
    expect(recorded.mails).toHaveLength(count);
  });
});

describe('43: an address that only looks like that of a user', () => {
  it.each([
    ['müller', 'example.com', 'mu\u0308ller@example.com', 204],
    ['admin2', 'example.com', 'ａdmin2@example.com', 204],
    ['pаypal', 'example.com', 'paypal@example.com', 204],
    ['someone', 'exämple.com', 'someone@xn--exmple-cua.com', 400],
    ['miller', 'example.com', 'mıller@example.com', 204],
  ])('sends no mail to anybody: %s@%s for %s', async (name, host, twin, status) => {
    const email = `${name}@${host}`;
    expect((await as(test, admin).post('/users', { email })).status).toBe(200);
    const count = recorded.mails.length;
    const reply = await as(test).post('/auth/password/request', { email: twin });
    expect(reply.status).toBe(status);
    await recorded.to(email);
    expect(recorded.mails).toHaveLength(count);
    await as(test).post('/auth/password/request', { email: email.toUpperCase() });
    expect((await recorded.to(email)).map(({ to }) => to.address)).toEqual([email]);
  });
});
