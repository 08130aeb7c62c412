import { performance } from 'node:perf_hooks';
import { RequestTimes } from '../../src/auth/password-reset/password-requests';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

/**
 * Requests of each kind. The kinds take turns, so that a busy moment affects all of them. The default is enough to see
 * that they are answered alike; for meaningful durations: EQUAL_TIME_TRIES=200.
 */
const TRIES = Number(process.env['EQUAL_TIME_TRIES'] ?? 20);
/** High enough for a measurable duration, low enough for many requests. */
const BCRYPT_COST = '6';
const PASSWORD = 'the-password-of-everybody';
const TEST_TIMEOUT_MS = 600_000;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({
    env: { BCRYPT_COST },
    // With the delays of production, which other tests switch off.
    customise: (builder) => builder.overrideProvider(RequestTimes).useClass(RequestTimes),
  });
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  await admin.patch('/settings', { auth_login_attempts: 1_000_000 });
  for (const status of ['active', 'suspended', 'invited']) {
    const person = { email: `${status}@example.com`, password: PASSWORD, status };
    expect((await admin.post('/users', person)).status).toBe(200);
  }
  await test.database.query(
    `INSERT INTO service_users (email, password)
     SELECT format('known-%s@example.com', at), (SELECT max(password) FROM service_users)
     FROM generate_series(1, $1::int4) at`,
    [4 * TRIES],
  );
});

afterAll(() => test.close());

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Two kinds that do the same show how far medians differ by chance. */
type Kinds = Readonly<Record<string, (index: number) => Promise<number>>>;

/** Durations are reported, not checked: they depend on what else the machine is doing. */
async function report(what: string, kinds: Kinds): Promise<void> {
  const times = new Map(Object.keys(kinds).map((name) => [name, [] as number[]]));
  for (let index = 0; index < TRIES; index += 1) {
    const turn = Object.entries(kinds);
    for (const [name, work] of index % 2 === 0 ? turn : turn.toReversed()) {
      times.get(name)?.push(await work(index));
    }
  }
  const medians = [...times].map(([name, all]) => [name, median(all)] as const);
  const values = medians.map(([, value]) => value);
  const spread = Math.max(...values) - Math.min(...values);
  const lines = medians.map(([name, value]) => `  ${name}: ${value.toFixed(2)} ms`);
  console.log(
    [`${what}, medians of ${TRIES}:`, ...lines, `  difference: ${spread.toFixed(2)} ms`].join('\n'),
  );
}

interface TransportOf {
  readonly name: string;
  login(email: string): Promise<string>;
  request(email: string): Promise<string>;
}

const post = async (path: string, body: object): Promise<string> =>
  (await as(test).post(path, body)).text;
const graphql = (text: string): Promise<string> =>
  post('/graphql/system', { query: `mutation { ${text} }` });

const TRANSPORTS: readonly TransportOf[] = [
  {
    name: 'REST',
    login: (email) => post('/auth/login', { email, password: 'not-the-password' }),
    request: (email) => post('/auth/password/request', { email }),
  },
  {
    name: 'GraphQL',
    login: (email) =>
      graphql(`auth_login(email: "${email}", password: "not-the-password") { expires }`),
    request: (email) => graphql(`auth_password_request(email: "${email}")`),
  },
];

describe.each(TRANSPORTS)('at $name', (transport) => {
  it(
    '28: a refused sign-in has the same body for everyone; its duration is reported',
    async () => {
      const bodies = new Set<string>();
      const failing = (email: string) => (): Promise<number> =>
        timed(async () => bodies.add(await transport.login(email)));
      await report(`28 ${transport.name}, refused sign-in`, {
        unknown: failing('nobody@example.com'),
        suspended: failing('suspended@example.com'),
        invited: failing('invited@example.com'),
        'wrong password': failing('active@example.com'),
      });
      expect(bodies.size).toBe(1);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    '29: a request for a new password has the same body whether or not the user exists; its duration, and that of the next one, are reported',
    async () => {
      const bodies = new Set<string>();
      const first = transport.name === 'REST' ? 1 : 2 * TRIES + 1;
      const asking = (name: string) => (index: number) =>
        timed(async () =>
          bodies.add(await transport.request(`${name}-${first + index}@example.com`)),
        );
      await report(`29 ${transport.name}, request`, {
        known: asking('known'),
        unknown: asking('unknown'),
        'unknown as well': asking('nobody'),
      });
      const following = (name: string) => async (index: number) => {
        await transport.request(`${name}-${first + TRIES + index}@example.com`);
        return timed(() => transport.request('somebody@example.com'));
      };
      await report(`29 ${transport.name}, request right after one for`, {
        known: following('known'),
        unknown: following('unknown'),
        'unknown as well': following('nobody'),
      });
      expect(bodies.size).toBe(1);
    },
    TEST_TIMEOUT_MS,
  );
});
