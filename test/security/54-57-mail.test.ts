import {
  as,
  LINK,
  type MailServer,
  mailTo,
  outboxOf,
  queueMail,
  type ReceivedMail,
  signIn,
  startMailApp,
  startMailServer,
  verboseLogger,
  TEST_ADMIN,
  type TestApp,
  until,
  waitingMails,
} from '../support';

const CANARY = /canary-a/;

let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
});

beforeEach(() => {
  server.mails.length = 0;
  server.refuse = undefined;
});

afterAll(() => server.close());

const headOf = ({ raw }: ReceivedMail): string => raw.split('\r\n\r\n')[0] ?? '';

describe('54, 55: a mail', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startMailApp({ SMTP_URL: server.url });
  });

  afterAll(() => test.close());

  const named = async (project_name: string): Promise<void> => {
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    expect((await admin.patch('/settings', { project_name })).status).toBe(200);
  };

  const sent = async (name: string): Promise<ReceivedMail> => {
    const address = 'ann@example.com';
    await queueMail(test, mailTo(address, { to: { name, address } }));
    const [received] = await server.received(1);
    if (!received) throw new Error('Nothing came');
    return received;
  };

  it.each([
    ['a tag', '<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['an attribute', '"><img src=x onerror=alert(1)>', '&quot;&gt;&lt;img src&#x3D;x'],
    ['a comment', '--><b>', '--&gt;&lt;b&gt;'],
  ])('shows %s in a name as text', async (_, name, shown) => {
    const { mail } = await sent(name);
    expect(mail.html).toContain(`Hello ${shown}`);
    expect(mail.html).not.toContain(name);
    expect(mail.text).toContain(`Hello ${name},`);
  });

  it.each([
    '{{url}}',
    '{{{url}}}',
    '{{#with this}}{{url}}{{/with}}',
    '{{lookup . "url"}}',
    '{{> x}}',
  ])('runs no template that a name contains: %s', async (name) => {
    const { mail } = await sent(name);
    expect(mail.text).toContain(`Hello ${name},`);
    expect(mail.text?.match(/canary-a/g)).toHaveLength(1);
    expect(mail.html?.match(/canary-a/g)).toHaveLength(2);
  });

  it('runs no template that the name of the project contains, not in the subject either', async () => {
    await named('<b>{{url}}</b>');
    const { mail, raw } = await sent('Ann');
    expect(mail.subject).toBe('Set a new password for <b>{{url}}</b>');
    expect(mail.html).toContain('&lt;b&gt;{{url}}&lt;/b&gt;');
    expect(headOf({ raw, mail, recipients: [] })).not.toMatch(CANARY);
    await named('Doorward');
  });

  it.each([
    'Eve\r\nBcc: evil@example.com',
    'Eve\nBcc: evil@example.com',
    'Eve\u2028Bcc: evil@example.com',
  ])('takes no header or line from a name: %j', async (name) => {
    const received = await sent(name);
    expect(received.recipients).toEqual(['ann@example.com']);
    expect(headOf(received)).not.toMatch(/^bcc:/im);
    expect(received.mail.text).toContain('Hello Eve Bcc: evil@example.com,');
  });

  it('takes no header from the name of the project', async () => {
    await named('Doorward\r\nBcc: evil@example.com');
    const received = await sent('Ann');
    expect(headOf(received)).not.toMatch(/^bcc:/im);
    expect(received.recipients).toEqual(['ann@example.com']);
    await named('Doorward');
  });

  it.each([
    ['two addresses', 'ann@example.com,evil@example.com'],
    ['an address with a name', 'Ann <evil@example.com>'],
    ['an address with a second line', 'ann@example.com\r\nRCPT TO:<evil@example.com>'],
    ['an address with quotes', '"ann@example.com evil"@example.com'],
    ['not an address', 'ann'],
  ])('is sent to no one where the address is %s', async (_, address) => {
    await queueMail(test, mailTo(address));
    await queueMail(test, mailTo('last@example.com'));
    await server.received(1);
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([['last@example.com']]);
  });
});

describe('57: the log', () => {
  let written: string;

  beforeEach(() => {
    written = '';
    for (const stream of [process.stdout, process.stderr]) {
      jest.spyOn(stream, 'write').mockImplementation((chunk) => {
        written += String(chunk);
        return true;
      });
    }
  });

  afterEach(() => jest.restoreAllMocks());

  /** With the most verbose logger. */
  const start = async (env: Record<string, string>): Promise<TestApp> => {
    const test = await startMailApp(env);
    test.app.useLogger(verboseLogger());
    return test;
  };

  it('holds neither link nor address of a mail that was sent, refused, given up or expired', async () => {
    const test = await start({ SMTP_URL: server.url });
    const done = (): Promise<void> => until(async () => (await waitingMails(test)).length === 0);
    await queueMail(test, mailTo('ann@example.com'));
    await done();
    server.refuse = 451;
    await queueMail(test, mailTo('ann@example.com'));
    await until(async () => ((await waitingMails(test))[0]?.attempts ?? 0) > 1);
    server.refuse = 550;
    await done();
    server.refuse = 451;
    await queueMail(test, mailTo('ann@example.com', { expires: new Date(Date.now() + 500) }));
    await done();
    await test.close();
    expect(written).toContain('given up: mail server: EENVELOPE, answer 550');
    expect(written).toContain('expired before they were done');
    expect(written).not.toMatch(CANARY);
    expect(written).not.toContain('ann@example.com');
  });

  it('holds no password and no token of a sign-in, a refresh or a new password, right or wrong', async () => {
    const test = await start({ SMTP_URL: server.url });
    const canary = 'a-wrong-canary-or-two';
    const password = 'seven-blue-canaries';
    const { email } = TEST_ADMIN;
    const nobody = as(test);
    const { access_token, refresh_token } = await signIn(test, TEST_ADMIN);
    await nobody.post('/auth/login', { email, password: canary });
    await nobody.post('/auth/login', { email, password: { [canary]: canary } });
    await as(test, `${access_token}x`).get('/users');
    await as(test).get(`/users?access_token=${access_token}`);
    const refreshed = await nobody.post('/auth/refresh', { refresh_token });
    await nobody.post('/auth/password/request', { email });
    const [received] = await server.received(1);
    const token = /token=([\w.-]+)/.exec(received?.mail.text ?? '')?.[1] ?? 'missing';
    expect(token).not.toBe('missing');
    await nobody.post('/auth/password/reset', { token: `${token}x`, password });
    await nobody.post('/auth/password/reset', { token, password: 'canary' });
    expect((await nobody.post('/auth/password/reset', { token, password })).status).toBe(204);
    await nobody.post('/auth/password/reset', { token, password });
    await test.close();
    const secrets = [access_token, refresh_token, String(refreshed.data['refresh_token']), token];
    for (const secret of [...secrets, canary, password, TEST_ADMIN.password]) {
      expect(written.includes(secret)).toBe(false);
    }
  });

  it('shows where a mail leads only outside production, where there is no mail server', async () => {
    const test = await start({});
    await queueMail(test, mailTo('ann@example.com'));
    await until(() => written.includes(LINK));
    await test.close();
    written = '';
    const production = await start({ NODE_ENV: 'production' });
    await queueMail(production, mailTo('ann@example.com'));
    expect(await waitingMails(production)).toEqual([]);
    expect(await outboxOf(production.config.dataDir)).toEqual([]);
    await production.close();
    expect(written).not.toMatch(CANARY);
  });
});
