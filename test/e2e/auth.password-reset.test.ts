import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { MailQueue } from '../../src/mail';
import {
  as,
  AUTH_TRANSPORTS,
  Browser,
  recordMails,
  type RecordedMails,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

const PAGE = 'https://app.example.com/account/reset';
const PASSWORD = 'the-first-of-passwords';
const NEXT = 'the-second-of-passwords';

let test: TestApp;
let admin: string;
let recorded: RecordedMails;

beforeAll(async () => {
  test = await startTestApp({
    env: {
      PUBLIC_URL: 'https://door.example.com/service',
      PASSWORD_RESET_URL_ALLOW_LIST: `${PAGE},http://localhost:8080`,
    },
  });
  recorded = recordMails(test);
  admin = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

async function createUser(values: object = {}): Promise<{ id: string; email: string }> {
  const email = `user-${randomUUID()}@example.com`;
  const reply = await as(test, admin).post('/users', { email, password: PASSWORD, ...values });
  expect(reply.status).toBe(200);
  return { id: String(reply.data['id']), email };
}

const passed = (minutes: number): Promise<object[]> =>
  test.database.query(
    `UPDATE service_one_time_tokens SET created_at = created_at - $1::int4 * interval '1 minute',
       expires_at = expires_at - $1::int4 * interval '1 minute'`,
    [minutes],
  );

const UNREACHABLE: readonly (readonly [string, object | undefined])[] = [
  ['nobody has the address', undefined],
  ...['draft', 'invited', 'unverified', 'suspended', 'archived'].map(
    (status) => [`the user is ${status}`, { status }] as const,
  ),
  ['the user is of another provider', { provider: 'acme' }],
];

describe.each(AUTH_TRANSPORTS)('at $name', (transport) => {
  const run = (...[operation, body]: [Parameters<typeof transport.run>[1], object]) =>
    transport.run(new Browser(test), operation, { ...body });
  const request = (email: string, reset_url?: string) =>
    run('password/request', { email, ...(reset_url !== undefined && { reset_url }) });
  const reset = (token: string, password = NEXT) => run('password/reset', { token, password });

  it('a request sends a link to set a new password, and the old password no longer works', async () => {
    const { email } = await createUser({ first_name: 'Ann', last_name: 'Lee' });
    expect((await request(email)).codes).toEqual([]);
    const [mail, ...others] = await recorded.to(email);
    expect(others).toEqual([]);
    expect(mail?.to).toEqual({ name: 'Ann Lee', address: email });
    expect(mail?.values['url']).toMatch(
      /^https:\/\/door\.example\.com\/service\/admin\/reset-password\?token=[\w-]{43}$/,
    );
    const hour = Date.now() + 3_600_000;
    expect(Math.abs((mail?.expires.getTime() ?? 0) - hour)).toBeLessThan(60_000);
    expect((await reset(await recorded.tokenFor(email))).codes).toEqual([]);
    await signIn(test, { email, password: NEXT });
    const old = await as(test).post('/auth/login', { email, password: PASSWORD });
    expect(old.status).toBe(401);
  });

  it.each([
    [PAGE, `${PAGE}?token=`],
    [`${PAGE}/now?lang=en#form`, `${PAGE}/now?lang=en&token=`],
    ['http://localhost:8080/?token=x#/reset', 'http://localhost:8080/?token='],
  ])('the link leads to a page of the list: %s', async (url, begins) => {
    const { email } = await createUser();
    expect((await request(email, url)).codes).toEqual([]);
    const [mail] = await recorded.to(email);
    const [before, hash = ''] = mail?.values['url']?.split('#') ?? [];
    expect(before?.slice(0, -43)).toBe(begins);
    expect(hash).toBe(url.split('#')[1] ?? '');
    expect((await reset(await recorded.tokenFor(email))).codes).toEqual([]);
  });

  it('the mail goes to the address as it is stored', async () => {
    const { email } = await createUser();
    await request(email.toUpperCase());
    expect(await recorded.to(email)).toHaveLength(1);
  });

  it.each(UNREACHABLE)('no mail is sent where %s', async (_, values) => {
    const { email } = values ? await createUser(values) : { email: 'nobody@example.com' };
    expect((await request(email)).codes).toEqual([]);
    expect(await recorded.to(email)).toEqual([]);
  });

  it('a user without a password is sent a mail as well, and can set one by it', async () => {
    const { email } = await createUser({ password: null });
    await request(email);
    expect((await reset(await recorded.tokenFor(email))).codes).toEqual([]);
    await signIn(test, { email, password: NEXT });
  });

  it('one mail is sent in five minutes, however often it is asked for', async () => {
    const { email } = await createUser();
    await Promise.all(Array.from({ length: 5 }, () => request(email)));
    await request(email);
    expect(await recorded.to(email)).toHaveLength(1);
    await passed(4);
    await request(email);
    expect(await recorded.to(email)).toHaveLength(1);
    await passed(2);
    await request(email);
    expect(await recorded.to(email)).toHaveLength(2);
  });

  it('after a reset the next mail comes at once', async () => {
    const { email } = await createUser();
    await request(email);
    expect((await reset(await recorded.tokenFor(email))).codes).toEqual([]);
    await request(email);
    expect(await recorded.to(email)).toHaveLength(2);
  });

  it.each([
    ['short', 'must have at least 8 characters'],
    ['          ', 'must have at least 8 characters'],
    // The mask that is shown instead of passwords.
    ['**********', 'is one that everybody tries first'],
    ['x'.repeat(73), 'must have at most 72 bytes'],
    ['ä'.repeat(40), 'must have at most 72 bytes'],
    ['with\u0000nothing', 'must not hold U+0000'],
    ['', 'must not be empty'],
  ])(
    'a weak password (%j) is refused with the reason, and the token stays valid',
    async (password, reason) => {
      const { email } = await createUser();
      await request(email);
      const token = await recorded.tokenFor(email);
      const refused = await reset(token, password);
      expect([refused.status, refused.codes, refused.field]).toEqual([
        ...[400, ['INVALID_PAYLOAD'], 'password'],
      ]);
      expect(refused.text).toContain(reason);
      if (password.trim().length > 1) expect(refused.text).not.toContain(password);
      await signIn(test, { email, password: PASSWORD });
      expect((await reset(token)).codes).toEqual([]);
    },
  );

  it.each(['email', 'reset_url'])('the length of %s is limited', async (field) => {
    const body = { email: 'a@example.com', [field]: `https://${'x'.repeat(5_000)}@example.com` };
    const { status, codes, field: named } = await run('password/request', body);
    expect([status, codes, named]).toEqual([400, ['INVALID_PAYLOAD'], field]);
  });
});

describe('a request whose processing fails', () => {
  it('leaves nothing behind, and is processed again, with one effect', async () => {
    const { id, email } = await createUser();
    const mails = test.app.get(MailQueue, { strict: false });
    jest.spyOn(mails, 'add').mockRejectedValueOnce(new Error('broken off'));
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    await as(test).post('/auth/password/request', { email });
    expect(await recorded.to(email)).toHaveLength(1);
    expect(logged).toHaveBeenCalledTimes(1);
    expect(logged.mock.calls.join()).not.toContain(email);
    logged.mockRestore();
    // Nothing is left of the first attempt.
    const kept = 'SELECT count(*)::int4 AS count FROM service_one_time_tokens WHERE "user" = $1';
    expect(await test.database.query(kept, [id])).toEqual([{ count: 1 }]);
  });
});

describe('where no mail can be sent, in production', () => {
  it('a request is answered as usual, and has no effect', async () => {
    const env = { NODE_ENV: 'production', PUBLIC_URL: 'https://door.example.com' };
    const production = await startTestApp({ env });
    const there = recordMails(production);
    const { email } = TEST_ADMIN;
    const reply = await as(production).post('/auth/password/request', { email });
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await there.to(email)).toEqual([]);
    const left = await production.database.query(
      'SELECT id::text FROM service_jobs UNION ALL SELECT hash FROM service_one_time_tokens',
    );
    expect(left).toEqual([]);
    await production.close();
  });
});

describe('when ten thousand requests are waiting', () => {
  const FILL = `
    INSERT INTO service_jobs (id, queue, content, next_try, expires_at)
    SELECT gen_random_uuid(), 'password-resets', '', now() + interval '1 hour', now() + interval '2 hours'
    FROM generate_series(1, 10000)`;

  afterEach(() => test.database.query(`DELETE FROM service_jobs WHERE content = ''`));

  it.each(AUTH_TRANSPORTS)('everyone gets the same refusal at $name', async (transport) => {
    const { email } = await createUser();
    await test.database.query(FILL);
    const outcomes = [];
    // Answers contain the request id. It is taken from this header, so that the answers can be equal.
    const headers = { 'X-Request-Id': 'the-same' };
    for (const each of [email, 'nobody@example.com']) {
      const body = { email: each };
      outcomes.push(await transport.run(new Browser(test), 'password/request', body, headers));
    }
    expect(outcomes[0]?.codes).toEqual(['SERVICE_UNAVAILABLE']);
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(recorded.mails.filter(({ to }) => to.address === email)).toEqual([]);
  });
});
