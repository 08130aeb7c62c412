import { RequestTimes } from '../../src/auth';
import {
  anAddress,
  as,
  CHOSEN,
  recordStatements,
  type RegistrationApp,
  openRegistrationApp,
  REGISTRATION_TRANSPORTS,
  startTestApp,
} from '../support';

/** Registrations are processed later, so that a test records only the statements of the request itself. */
const LATER: RequestTimes = { longestDelay: 2_000_000_000 };

let app: RegistrationApp;
const known = new Map<string, string>();

beforeAll(async () => {
  app = await openRegistrationApp({
    customise: (builder) => builder.overrideProvider(RequestTimes).useValue(LATER),
  });
  for (const status of ['active', 'suspended', 'invited', 'unverified', 'archived']) {
    const email = anAddress();
    known.set(status, email);
    const user = { email, password: CHOSEN, status };
    expect((await app.admin.post('/users', user)).status).toBe(200);
  }
});

afterAll(() => app?.test.close());

const stored = (): Promise<unknown[]> =>
  app.test.database.query('SELECT * FROM service_users ORDER BY id');

const OPEN = { public_registration: true, public_registration_email_filter: {} };

describe.each(REGISTRATION_TRANSPORTS)('30: at $name', (transport) => {
  const CASES: readonly (readonly [string, (email: string) => Record<string, unknown>, object?])[] =
    [
      ['whoever has the address', (email) => ({ email, password: CHOSEN })],
      ['with a weak password', (email) => ({ email, password: 'short' })],
      [
        'with a URL that is not allowed',
        (email) => ({ email, password: CHOSEN, verification_url: 'https://evil.example.com' }),
      ],
      [
        'while registration is closed',
        (email) => ({ email, password: CHOSEN }),
        { public_registration: false },
      ],
      [
        'of addresses that the filter refuses',
        (email) => ({ email, password: CHOSEN }),
        { public_registration_email_filter: { email: { _contains: '@example.org' } } },
      ],
    ];

  it('a registration gets the same answer, after the same statements, and none reads a user', async () => {
    const answers: unknown[] = [];
    for (const [, body, settings = {}] of CASES) {
      await app.set({ ...OPEN, ...settings });
      const outcomes: { answer: unknown; asked: string[] }[] = [];
      for (const email of [...known.values(), anAddress()]) {
        outcomes.push(await heardDuring(() => transport.run(app.nobody, 'register', body(email))));
      }
      for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
      expect(outcomes[0]?.asked.join()).toContain('INSERT INTO service_jobs');
      expect(outcomes[0]?.asked.join()).not.toContain('service_users');
      answers.push(outcomes[0]?.answer);
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('so does a request for another link', async () => {
    const outcomes: unknown[] = [];
    for (const email of [...known.values(), anAddress()]) {
      outcomes.push(await heardDuring(() => transport.run(app.nobody, 'resend', { email })));
    }
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect(JSON.stringify(outcomes)).not.toContain('service_users');
  });

  it('an invitation gets the same answer', async () => {
    const outcomes: unknown[] = [];
    for (const email of [...known.values(), anAddress()]) {
      outcomes.push(await transport.run(app.admin, 'invite', { email, role: app.role }));
    }
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  });
});

/** The answer, and the statements that were sent outside of transactions. */
async function heardDuring(
  work: () => Promise<unknown>,
): Promise<{ answer: unknown; asked: string[]; transactions: number }> {
  const recorded = recordStatements(app.test.database);
  const answer = await work();
  recorded.stop();
  const asked = recorded.statements.map(({ text }) => text);
  return { answer, asked, transactions: recorded.transactions() };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const BODY = JSON.stringify({ email: 'a@example.com', password: CHOSEN });
const MALFORMED: readonly (readonly [string, string | undefined, Record<string, string>])[] = [
  ['nothing', undefined, {}],
  ['half an object', '{', JSON_TYPE],
  ['a list', '[]', JSON_TYPE],
  ['null', 'null', JSON_TYPE],
  ['text', '"x"', JSON_TYPE],
  ['a name twice', '{"email":"a@example.com","email":"b@example.com"}', JSON_TYPE],
  ['an address that is a list', '{"email":["a@example.com"],"password":"x"}', JSON_TYPE],
  ['an address that is an object', '{"email":{"a":1},"password":"x"}', JSON_TYPE],
  ['an invalid address', '{"email":"x","password":"three-green-kettles"}', JSON_TYPE],
  [
    'two addresses',
    '{"email":"a@example.com, b@example.com","password":"three-green-kettles"}',
    JSON_TYPE,
  ],
  ['a password that is a number', '{"email":"a@example.com","password":12345678}', JSON_TYPE],
  ['no password', '{"email":"a@example.com"}', JSON_TYPE],
  ['U+0000', '{"email":"a@example.com","password":"three-green\\u0000"}', JSON_TYPE],
  ['a long name', JSON.stringify({ ...JSON.parse(BODY), first_name: 'x'.repeat(256) }), JSON_TYPE],
  ['plain text', BODY, { 'content-type': 'text/plain' }],
  ['a form', 'email=a@example.com', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a megabyte', JSON.stringify({ email: 'x'.repeat(1_000_000) }), JSON_TYPE],
  ['another encoding', BODY, { 'content-type': 'application/json; charset=latin1' }],
  ['a depth of 5,000', '['.repeat(5_000), JSON_TYPE],
];

describe('30: a registration that cannot be read gets the same answer as any other', () => {
  it.each(MALFORMED)('%s', async (_, body, headers) => {
    const before = await stored();
    for (const path of ['/register', '/users/register', '/register/', '/USERS/Register']) {
      const sent = { method: 'POST', headers, ...(body !== undefined && { body }) };
      const response = await fetch(app.test.url + path, sent);
      expect([path, response.status, await response.text()]).toEqual([path, 204, '']);
    }
    expect(await stored()).toEqual(before);
  });

  it('with an invalid token', async () => {
    const reply = await as(app.test, 'not.a.token').post('/register', JSON.parse(BODY));
    expect(reply.status).toBe(204);
  });

  it('except on other methods and routes', async () => {
    expect((await app.nobody.send('PATCH', '/register', {})).codes).toEqual(['METHOD_NOT_ALLOWED']);
    expect((await app.nobody.post('/users/register/resend', { email: 'x' })).codes).toEqual([
      'INVALID_PAYLOAD',
    ]);
    expect((await app.nobody.post('/users/invite/accept', { token: 1 })).codes).toEqual([
      ...['INVALID_PAYLOAD', 'INVALID_PAYLOAD'],
    ]);
  });
});

it('30: the answer does not reveal either that there were too many requests', async () => {
  const test = await startTestApp({ env: { RATE_LIMIT_REQUESTS: '2' } });
  try {
    const jobs = () => test.database.query<{ id: string }>('SELECT id FROM service_jobs');
    for (const transport of REGISTRATION_TRANSPORTS) {
      for (let time = 0; time < 3; time += 1) {
        const body = { email: anAddress(), password: CHOSEN };
        expect((await transport.run(as(test), 'register', body)).codes).toEqual([]);
      }
    }
    expect((await as(test).post('/users/register/resend', { email: 'a@b.cd' })).status).toBe(429);
    expect((await jobs()).length).toBeLessThanOrEqual(2);
  } finally {
    await test.close();
  }
});
