import { Accounts } from '../../src/auth/accounts';
import {
  as,
  asRestReply,
  type Reply,
  SIGN_IN_TRANSPORTS,
  type SignInTransport,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  until,
} from '../support';

const { email, password } = TEST_ADMIN;
const LIMIT = 20;

let test: TestApp;
let verify: jest.SpyInstance;
let addresses = 0;

beforeAll(async () => {
  test = await startTestApp({ env: { TRUST_PROXY: '1' } });
  verify = jest.spyOn(test.app.get(Accounts), 'verifyCredentials');
});

beforeEach(() => verify.mockClear());

afterAll(() => test.close());

/** An address that nobody has used yet. */
const elsewhere = (): string => `198.51.100.${(addresses += 1)}`;

const times = <T>(count: number, each: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => each(at)));

const codesOf = (replies: readonly Reply[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { codes } of replies) {
    const code = codes[0] ?? 'none';
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
};

/** With the first letter in full width, which the database treats as the same address. */
const widened = ([first = '', ...rest]: string): string =>
  String.fromCharCode(first.charCodeAt(0) + 0xfee0) + rest.join('');

/** Expects 429 and the time to wait. */
function expectExceeded(reply: Reply, most = 300): void {
  expect([reply.status, reply.codes]).toEqual([429, ['REQUESTS_EXCEEDED']]);
  const wait = Number(reply.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(most);
  expect(reply.text).toContain(`"retryAfter":${wait}`);
}

async function useUp(transport: SignInTransport, from: string): Promise<void> {
  for (let time = 0; time < LIMIT; time += 1) {
    expect((await transport.guess(test, email, `guess ${time}`, from)).codes).toEqual([
      'INVALID_CREDENTIALS',
    ]);
  }
}

describe.each(SIGN_IN_TRANSPORTS)('$name', (transport) => {
  it('100 guesses at once: 20 are checked, and then not even the right password is accepted', async () => {
    const from = elsewhere();
    const replies = await times(100, (at) => transport.guess(test, email, `guess ${at}`, from));
    expect(codesOf(replies)).toEqual({ INVALID_CREDENTIALS: 20, REQUESTS_EXCEEDED: 80 });
    expect(verify).toHaveBeenCalledTimes(LIMIT);
    expectExceeded(await transport.guess(test, email, password, from));
    expect(verify).toHaveBeenCalledTimes(LIMIT);
  });

  it('51: the owner can sign in from another network, whatever is guessed elsewhere', async () => {
    const from = elsewhere();
    await useUp(transport, from);
    expect((await transport.guess(test, email, password, elsewhere())).status).toBe(200);
    expectExceeded(await transport.guess(test, email, password, from));
  });

  it('51: a right password clears the wrong ones before it', async () => {
    const from = elsewhere();
    for (let round = 0; round < 3; round += 1) {
      for (let time = 0; time < LIMIT - 1; time += 1) {
        await transport.guess(test, email, `guess ${time}`, from);
      }
      expect((await transport.guess(test, email, password, from)).status).toBe(200);
    }
  });

  it('51: an account that is guessed at from many networks is not locked', async () => {
    await times(60, () => transport.guess(test, email, 'a wrong one', elsewhere()));
    expect((await transport.guess(test, email, password, elsewhere())).status).toBe(200);
  });

  it('many correct sign-ins at once are all accepted', async () => {
    const from = elsewhere();
    const replies = await times(50, () => transport.guess(test, email, password, from));
    expect(codesOf(replies)).toEqual({ none: 50 });
  });

  it('an unknown address gets the same answer as a known one', async () => {
    const from = elsewhere();
    const known: string[] = [];
    const unknown: string[] = [];
    for (let time = 0; time < LIMIT + 2; time += 1) {
      const same = (text: string): string => text.replaceAll(/\d+/g, 'n');
      known.push(same((await transport.guess(test, email, 'wrong', from)).text));
      unknown.push(same((await transport.guess(test, 'nobody@example.com', 'wrong', from)).text));
    }
    expect(unknown).toEqual(known);
    expect(unknown.at(-1)).toContain('REQUESTS_EXCEEDED');
  });

  it.each<[string, (at: number) => string]>([
    ['its case', (at) => (at % 2 === 0 ? email.toUpperCase() : email)],
    ['the case of one letter', (at) => email.slice(0, at % 9) + email.slice(at % 9).toUpperCase()],
    ['the width of one letter', (at) => email.slice(0, at % 5) + widened(email.slice(at % 5))],
  ])('50: an address counts as the same whatever %s', async (_, written) => {
    const from = elsewhere();
    for (let at = 0; at < LIMIT; at += 1) await transport.guess(test, written(at), 'wrong', from);
    expectExceeded(await transport.guess(test, email, password, from));
  });

  it('50: addresses in the same /64 count as one, those in the next /64 do not', async () => {
    const host = (at: number): string => `2001:db8:${(addresses += 1)}:0:${at}::${at}`;
    const fixed = addresses + 1;
    addresses += 1;
    const within = (at: number): string => `2001:db8:0:${fixed}:${at}:${at}:${at}:${at}`;
    for (let at = 1; at <= LIMIT; at += 1) await transport.guess(test, email, 'wrong', within(at));
    expectExceeded(await transport.guess(test, email, password, within(77)));
    expect((await transport.guess(test, email, password, host(1))).status).toBe(200);
  });

  it('50: only the address that the trusted proxy wrote counts, not one that the client sent', async () => {
    const proxied = elsewhere();
    for (let at = 0; at < LIMIT; at += 1) {
      await transport.guess(test, email, 'wrong', `203.0.113.${at}, ${proxied}`);
    }
    expectExceeded(await transport.guess(test, email, password, `203.0.113.99, ${proxied}`));
  });

  it('the setting decides how many, and null allows any number', async () => {
    const set = (limit: number | null): Promise<object[]> =>
      test.database.query('UPDATE service_settings SET auth_login_attempts = $1::int4', [limit]);
    try {
      const from = elsewhere();
      await set(2);
      const three = [0, 1, 2].map(() => () => transport.guess(test, email, 'wrong', from));
      const codes: string[] = [];
      for (const guess of three) codes.push(...(await guess()).codes);
      expect(codes).toEqual(['INVALID_CREDENTIALS', 'INVALID_CREDENTIALS', 'REQUESTS_EXCEEDED']);
      await set(null);
      for (let time = 0; time < LIMIT + 5; time += 1)
        await transport.guess(test, email, 'wrong', from);
      expect((await transport.guess(test, email, password, from)).status).toBe(200);
    } finally {
      await set(LIMIT);
    }
  });
});

it('REST and GraphQL count together', async () => {
  const from = elsewhere();
  for (let at = 0; at < LIMIT; at += 1) {
    await SIGN_IN_TRANSPORTS[at % 2]?.guess(test, email, 'wrong', from);
  }
  for (const transport of SIGN_IN_TRANSPORTS)
    expectExceeded(await transport.guess(test, email, password, from));
});

it('61: each alias is an attempt', async () => {
  const from = elsewhere();
  const attempt = (at: number): string =>
    `a${at}: auth_login(email: "${email}", password: "guess ${at}") { expires }`;
  const query = `mutation { ${Array.from({ length: 19 }, (_, at) => attempt(at)).join(' ')} }`;
  const send = async (sent: string): Promise<Reply> =>
    asRestReply(
      await as(test).send('POST', '/graphql/system', { query: sent }, { 'x-forwarded-for': from }),
    );
  expect((await send(query)).codes).toEqual(Array(19).fill('INVALID_CREDENTIALS'));
  expect((await send(query)).codes).toEqual([
    'INVALID_CREDENTIALS',
    ...(Array(18).fill('REQUESTS_EXCEEDED') as string[]),
  ]);
  expectExceeded(await send(`mutation { ${attempt(1)} }`));
});

it('no proxy is trusted by default', async () => {
  const plain = await startTestApp();
  try {
    for (const transport of SIGN_IN_TRANSPORTS) {
      for (let at = 0; at < LIMIT / 2; at += 1) {
        await transport.guess(plain, email, 'wrong', `203.0.113.${at}`);
      }
    }
    for (const transport of SIGN_IN_TRANSPORTS) {
      expectExceeded(await transport.guess(plain, email, password, '203.0.113.250'));
    }
  } finally {
    await plain.close();
  }
});

it('the limit ends by itself', async () => {
  const quick = await startTestApp({ env: { RATE_LIMIT_FAILURES_WINDOW: '5s' } });
  try {
    const guess = (at: number): Promise<Reply> =>
      as(quick).post('/auth/login', { email, password: `guess ${at}` });
    let exceeded: Reply | undefined;
    // On a slow machine the window may end before the limit is reached: try again.
    while (!exceeded)
      exceeded = (await times(LIMIT + 5, guess)).find(({ status }) => status === 429);
    expectExceeded(exceeded, 5);
    await until(
      async () => (await as(quick).post('/auth/login', { email, password })).status === 200,
    );
  } finally {
    await quick.close();
  }
});
