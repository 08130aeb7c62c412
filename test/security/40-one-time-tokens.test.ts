import { randomUUID } from 'node:crypto';
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

const PASSWORD = 'the-first-of-passwords';
const NEXT = 'the-second-of-passwords';

let test: TestApp;
let admin: string;
let recorded: RecordedMails;

beforeAll(async () => {
  test = await startTestApp();
  recorded = recordMails(test);
  admin = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

interface Holder {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

async function createHolder(): Promise<Holder> {
  const email = `user-${randomUUID()}@example.com`;
  const { data } = await as(test, admin).post('/users', { email, password: PASSWORD });
  await as(test).post('/auth/password/request', { email });
  return { id: String(data['id']), email, token: await recorded.tokenFor(email) };
}

const change = async (id: string, values: object): Promise<void> => {
  expect((await as(test, admin).patch(`/users/${id}`, values)).status).toBe(200);
};

const passwordOf = async (id: string): Promise<unknown> => {
  const [row] = await test.database.query('SELECT password FROM service_users WHERE id = $1', [id]);
  return row?.['password'];
};

const VOIDED: readonly [string, (holder: Holder) => Promise<unknown>][] = [
  ['its password was changed', ({ id }) => change(id, { password: 'an-administrators-choice' })],
  ['the same password was set again', ({ id }) => change(id, { password: PASSWORD })],
  ['its password was removed', ({ id }) => change(id, { password: null })],
  [
    'its address was changed, since others may have the old mailbox',
    ({ id }) => change(id, { email: `new-${randomUUID()}@example.com` }),
  ],
  ['it was suspended', ({ id }) => change(id, { status: 'suspended' })],
  ['it went to another provider', ({ id }) => change(id, { provider: 'acme' })],
  ['it was deleted', ({ id }) => as(test, admin).delete(`/users/${id}`)],
  [
    'an hour has passed',
    ({ id }) =>
      test.database.query(
        `UPDATE service_one_time_tokens SET expires_at = now() WHERE "user" = $1::uuid`,
        [id],
      ),
  ],
  [
    'another of its tokens was used',
    async ({ email }) => {
      await test.database.query(
        `UPDATE service_one_time_tokens SET created_at = created_at - interval '1 hour'`,
      );
      await as(test).post('/auth/password/request', { email });
      const token = await recorded.tokenFor(email);
      const reply = await as(test).post('/auth/password/reset', { token, password: PASSWORD });
      expect(reply.status).toBe(204);
    },
  ],
];

describe.each(AUTH_TRANSPORTS)('40: at $name a token from a mail', (transport) => {
  const reset = (token: string, password = NEXT) =>
    transport.run(new Browser(test), 'password/reset', { token, password });

  const refused = async (token: string): Promise<void> => {
    const { status, codes } = await reset(token);
    expect([status, codes]).toEqual([403, ['INVALID_TOKEN']]);
  };

  it('works once', async () => {
    const { id, token } = await createHolder();
    expect((await reset(token)).codes).toEqual([]);
    const password = await passwordOf(id);
    await refused(token);
    expect(await passwordOf(id)).toBe(password);
  });

  it('works once when it is used ten times at once', async () => {
    const { id, email, token } = await createHolder();
    const passwords = Array.from({ length: 10 }, (_, index) => `password-number-${index}`);
    const outcomes = await Promise.all(passwords.map((password) => reset(token, password)));
    const taken = passwords.filter((_, index) => outcomes[index]?.codes.length === 0);
    expect(taken).toHaveLength(1);
    const codes = outcomes.flatMap((outcome) => outcome.codes);
    expect(codes).toEqual(Array(9).fill('INVALID_TOKEN'));
    await signIn(test, { email, password: taken[0] ?? '' });
    const left = await test.database.query(
      'SELECT 1 FROM service_one_time_tokens WHERE "user" = $1::uuid',
      [id],
    );
    expect(left).toEqual([]);
  });

  it.each(VOIDED)('is void once %s', async (_, work) => {
    const holder = await createHolder();
    await work(holder);
    const before = await passwordOf(holder.id);
    await refused(holder.token);
    expect(await passwordOf(holder.id)).toBe(before);
  });

  it('is checked against the user at the time of use', async () => {
    const { id, email, token } = await createHolder();
    await change(id, { status: 'suspended' });
    await refused(token);
    await change(id, { status: 'active' });
    expect((await reset(token)).codes).toEqual([]);
    await signIn(test, { email, password: NEXT });
  });

  it('cannot be guessed from another', async () => {
    const { id, token } = await createHolder();
    const before = await passwordOf(id);
    const swapped = token.startsWith('A') ? `B${token.slice(1)}` : `A${token.slice(1)}`;
    const made = [
      ...[swapped, token.toLowerCase(), token.slice(0, -1), `${token}=`, ` ${token}`],
      ...[`${token}A`, 'x', 'null', '%', `${token}' OR '1'='1`, 'x'.repeat(2_000)],
    ];
    for (const each of made) await refused(each);
    expect(await passwordOf(id)).toBe(before);
    expect((await reset(token)).codes).toEqual([]);
  });
});

it('40: the token itself is not stored anywhere', async () => {
  const { token } = await createHolder();
  const rows = await test.database.query('SELECT * FROM service_one_time_tokens');
  const jobs = await test.database.query('SELECT * FROM service_jobs');
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify([rows, jobs])).not.toContain(token);
});
