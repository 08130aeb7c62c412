import { seed as seedWorld, emailOf, PASSWORD } from '../factories';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';
import { Campaign } from './campaign';
import { SEED } from './fixtures';
import { Sender } from './sender';
import { Stored } from './stored';
import { surfaceOf } from './surface';
import { THINGS_SQL, ThingsModule } from './things';

/**
 * For each database; `FUZZ_REQUESTS=200000` for a long run; `FUZZ_SEED` repeats a run, `FUZZ_ONLY` (`5` or `0-250`) a
 * part of it.
 */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 10_000);
const FUZZ_SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const ONLY = process.env['FUZZ_ONLY'];
const CONNECTIONS = 12;
const TIME = 60 * 60_000;

let app: TestApp;
let campaign: Campaign;
let sender: Sender;

beforeAll(async () => {
  app = await startTestApp({
    imports: [ThingsModule],
    synchronize: true,
    // Requests without a route occur too; as a guest, the host would answer them.
    host: 'own',
    env: { ACCESS_TOKEN_TTL: '6h', RATE_LIMIT_ENABLED: 'false' },
  });
  for (const statement of THINGS_SQL) await app.database.query(statement);
  await seedWorld(app, SEED);
  campaign = await prepare();
});

afterAll(async () => {
  sender?.close();
  await app?.close();
});

const PEOPLE = { admin: TEST_ADMIN, ann: person('ann'), ned: person('ned') };

function person(name: string): { email: string; password: string } {
  return { email: emailOf(name), password: PASSWORD };
}

async function sessionCookie(): Promise<string> {
  const reply = await as(app).post('/auth/login', { ...PEOPLE.ann, mode: 'session' });
  return (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

async function prepare(): Promise<Campaign> {
  const shown = new Map<string, Record<string, string>>([
    ['ann by cookie', { cookie: await sessionCookie() }],
  ]);
  const refresh: string[] = [];
  for (const [name, credentials] of Object.entries(PEOPLE)) {
    const { access_token } = await signIn(app, credentials);
    shown.set(name, { authorization: `Bearer ${access_token}` });
    // Tokens of separate sessions: signing out with them must not end the session of the other requests.
    refresh.push((await signIn(app, credentials)).refresh_token);
  }
  const known = {
    email: [...Object.values(PEOPLE).map(({ email }) => email), emailOf('sue'), 'ANN@EXAMPLE.COM'],
    password: [PASSWORD, TEST_ADMIN.password],
    refresh_token: refresh,
    mode: ['json', 'cookie', 'session'],
  };
  sender = new Sender(app.url, shown, CONNECTIONS);
  return new Campaign({
    seed: FUZZ_SEED,
    surface: await surfaceOf(app),
    known,
    people: ['admin', 'admin', 'admin', 'admin', 'ann', 'ann', 'ann by cookie', 'ned', null],
    sender,
    stored: await Stored.of(app),
    connections: CONNECTIONS,
  });
}

test(
  `${REQUESTS} odd requests get documented answers, and refused ones change nothing`,
  async () => {
    const [from = 0, until = from + 1] = (ONLY ?? `0-${REQUESTS}`).split('-').map(Number);
    await campaign.run(from, until);
    const statuses = [...campaign.statuses].sort(([one], [other]) => one - other);
    console.info(
      `Fuzz, seed ${FUZZ_SEED}: ${statuses.map(([status, count]) => `${status}: ${count}`).join(', ')}`,
    );
    if (campaign.faults.length > 0) throw new Error(campaign.faults.join('\n\n'));
  },
  TIME,
);
