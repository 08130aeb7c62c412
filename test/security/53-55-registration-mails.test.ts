import {
  anAddress,
  CHOSEN,
  type RegistrationApp,
  type MailServer,
  openRegistrationApp,
  type ReceivedMail,
  REGISTRATION_TRANSPORTS,
  sendRaw,
  startMailServer,
} from '../support';
import { BYPASSES } from './bypasses';

const LIST = 'https://good.com/app, https://other.com:8443';

let server: MailServer;
let app: RegistrationApp;

beforeAll(async () => {
  server = await startMailServer();
  app = await openRegistrationApp({
    env: {
      SMTP_URL: server.url,
      PUBLIC_URL: 'https://door.example.com',
      USER_REGISTER_URL_ALLOW_LIST: LIST,
      USER_INVITE_URL_ALLOW_LIST: LIST,
    },
  });
});

beforeEach(() => {
  server.mails.length = 0;
});

afterAll(async () => {
  await app?.test.close();
  await server?.close();
});

const headOf = ({ raw }: ReceivedMail): string => raw.split('\r\n\r\n')[0] ?? '';

describe.each(REGISTRATION_TRANSPORTS)('at $name', (transport) => {
  const register = (body: Record<string, unknown>) =>
    transport.run(app.nobody, 'register', { password: CHOSEN, ...body });
  const invite = (body: Record<string, unknown>) =>
    transport.run(app.admin, 'invite', { role: app.role, ...body });

  it.each(BYPASSES)(
    '53: verification_url that only looks like one of the list: %j',
    async (url) => {
      const email = anAddress();
      const { codes, text } = await register({ email, verification_url: url });
      expect(codes).toEqual([]);
      expect(text).not.toContain('good.com');
      expect(await app.stored(email)).toEqual([]);
      expect(await app.recorded.to(email)).toEqual([]);
    },
  );

  it.each(BYPASSES)('53: invite_url that only looks like one of the list: %j', async (url) => {
    const email = anAddress();
    const { codes, field, text } = await invite({ email, invite_url: url });
    expect([codes, field]).toEqual([['INVALID_PAYLOAD'], 'invite_url']);
    expect(text).not.toContain(url);
    expect(await app.stored(email)).toEqual([]);
  });

  it('54: names of the project and of people are shown as text', async () => {
    const project = 'Green & <b>Kettles</b> {{url}}';
    await app.set({ project_name: project });
    const [registered, invited] = [anAddress(), anAddress()];
    await register({ email: registered, first_name: '<img src=x onerror=alert(1)> {{url}}' });
    await invite({ email: invited });
    const mails = await server.received(2);
    expect(mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
      [registered, invited].toSorted(),
    );
    for (const { mail } of mails) {
      expect(mail.subject).toContain(project);
      expect(mail.html).toContain('Green &amp; &lt;b&gt;Kettles&lt;/b&gt; {{url}}');
      expect(mail.html).not.toMatch(/<b>Kettles|<img/);
      // A stranger cannot use our mails to send text to others.
      expect(mail.text).not.toContain('onerror');
    }
    await app.set({ project_name: 'Doorward' });
  });

  it('54: the name of somebody who is invited again is shown as text, on one line', async () => {
    const email = anAddress();
    const first_name = '<script>alert(1)</script>\r\nBcc: evil@evil.example {{url}}';
    const user = { email, first_name, status: 'invited' };
    expect((await app.admin.post('/users', user)).status).toBe(200);
    await invite({ email });
    const [received] = await server.received(1);
    expect(received?.recipients).toEqual([email]);
    expect(received?.mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(received?.mail.html).not.toContain('<script>');
    if (received) expect(headOf(received)).not.toMatch(/^bcc:/im);
  });

  it.each([
    'admin@example.com\r\nBcc: evil@evil.example',
    'admin@example.com, evil@evil.example',
    'Admin <admin@example.com>',
    '"admin@example.com, evil"@evil.example',
    '"a b"@example.com',
  ])('55: an address must be exactly one on one line: %j', async (email) => {
    const before = await users();
    expect((await register({ email })).codes).toEqual([]);
    const { codes, field } = await invite({ email });
    expect([codes, field]).toEqual([['INVALID_PAYLOAD'], 'email']);
    const listed = await invite({ email: [anAddress(), email] });
    expect(listed.codes).toEqual(['INVALID_PAYLOAD']);
    await app.settled();
    expect(await users()).toEqual(before);
    expect(server.mails).toEqual([]);
  });
});

const users = (): Promise<unknown> =>
  app.test.database.query('SELECT * FROM service_users ORDER BY id');

describe('55: links are based on PUBLIC_URL alone, whatever the headers say', () => {
  it.each([
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    { forwarded: 'host=evil.example;proto=http' },
  ])('%j', async (headers) => {
    const email = anAddress();
    const body = JSON.stringify({ email, password: CHOSEN });
    const sent = Object.entries({ host: 'localhost', ...headers });
    const lines = sent.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const answer = await sendRaw(
      app.test,
      `POST /register HTTP/1.1\r\n${lines}content-type: application/json\r\n` +
        `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 204 /);
    const [mail] = await app.recorded.to(email);
    const token = await app.recorded.tokenFor(email);
    const link = 'https://door.example.com/users/register/verify-email?token=';
    expect(mail?.values['url']).toBe(link + token);
    const page = await sendRaw(
      app.test,
      `GET /users/register/verify-email?token=${token} HTTP/1.1\r\n${lines}accept: text/html\r\n` +
        'connection: close\r\n\r\n',
    );
    expect(page).toMatch(/^HTTP\/1\.1 303 /);
    expect(page).toMatch(
      /location: https:\/\/door\.example\.com\/admin\/verify-email\?status=verified\r\n/i,
    );
    expect(page).not.toContain(token);
  });
});
