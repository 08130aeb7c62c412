import {
  as,
  freePort,
  signIn,
  startMailServer,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

const EMAIL = 'ann@example.com';
const NEXT = 'the-second-of-passwords';

async function startWith(port: number): Promise<TestApp> {
  const test = await startTestApp({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'door@example.com',
      PUBLIC_URL: 'https://door.example.com',
    },
  });
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  await admin.patch('/settings', { project_name: 'Green & <b>Kettles</b>' });
  const ann = { email: EMAIL, password: 'the-first-of-passwords', first_name: 'Ann {{url}}' };
  expect((await admin.post('/users', ann)).status).toBe(200);
  return test;
}

/** The token behind a link, as a mail program reads it. */
const tokenIn = (text: string | undefined): string =>
  /https:\/\/door\.example\.com\/admin\/reset-password\?token=([\w-]{43})/.exec(text ?? '')?.[1] ??
  '';

async function resetAndSignIn(test: TestApp, token: string): Promise<void> {
  const reply = await as(test).post('/auth/password/reset', { token, password: NEXT });
  expect([reply.status, reply.text]).toEqual([204, '']);
  await signIn(test, { email: EMAIL, password: NEXT });
}

it('a requested reset leads through a mail server to a new password', async () => {
  const server = await startMailServer();
  const test = await startWith(server.port);
  try {
    await as(test).post('/auth/password/request', { email: EMAIL });
    const [received] = await server.received(1);
    expect(received?.recipients).toEqual([EMAIL]);
    const { mail } = received ?? {};
    expect(mail?.subject).toContain('Green & <b>Kettles</b>');
    expect(mail?.html).toContain('Green &amp; &lt;b&gt;Kettles');
    expect(mail?.html).not.toContain('<b>Kettles');
    const token = tokenIn(mail?.text);
    expect(token).not.toBe('');
    expect(tokenIn(mail?.html?.replaceAll('&#x3D;', '='))).toBe(token);
    await resetAndSignIn(test, token);
    expect(server.mails).toHaveLength(1);
  } finally {
    await test.close();
    await server.close();
  }
});

it('a mail that could not be sent while the mail server was down arrives later, once', async () => {
  const port = await freePort();
  const test = await startWith(port);
  try {
    const reply = await as(test).post('/auth/password/request', { email: EMAIL });
    expect(reply.status).toBe(204);
    await tried(test);
    const server = await startMailServer(port);
    const [received] = await server.received(1);
    await resetAndSignIn(test, tokenIn(received?.mail.text));
    expect(server.mails).toHaveLength(1);
    await server.close();
  } finally {
    await test.close();
  }
});

/** Waits until an attempt to send the mail has failed. */
async function tried({ database }: TestApp): Promise<void> {
  for (;;) {
    const failed = await database.query('SELECT 1 FROM service_jobs WHERE last_fault IS NOT NULL');
    if (failed.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
