import { plainStatements, storingStatements } from '../../src/repository';
import { create, read, seed, update, type World } from '../factories';
import { as, startTestApp, TEST_ADMIN } from '../support';

/** Whether cached rights apply depends on the time and the address of a request, which are checked each time. */
let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), {
    policies: {
      seeing: [read('service_users', ['email', 'role'])],
      ageing: [read('service_users', ['email'], { date_created: { _lt: '$NOW(-5 minutes)' } })],
      making: [create('service_users', ['email'], {}, { presets: { last_access: '$NOW' } })],
    },
    users: { amy: { policies: ['making'] } },
  });
});

afterAll(() => world.app.close());
afterEach(() => world.restore());

const ALL = '2: email id role';
const NOTHING = 'nothing';

async function visible(): Promise<string> {
  const reply = await world.as('amy').get('/users?meta=total_count');
  if (reply.status === 403) return NOTHING;
  const [row = {}] = reply.data as unknown as object[];
  const { total_count } = (reply.body as { meta: { total_count: number } }).meta;
  return `${total_count}: ${Object.keys(row).toSorted().join(' ')}`;
}

async function perform(method: 'post' | 'patch', path: string, body: object): Promise<void> {
  const reply = await world.as('admin')[method](world.fill(path), world.fill(body));
  if (reply.status !== 200) throw new Error(reply.text);
}

/** Moves only the clock; timers keep running. */
async function at<T>(now: number, ask: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ now, doNotFake: [...TIMERS] });
  try {
    return await ask();
  } finally {
    jest.useRealTimers();
  }
}

const visibleAt = (now: number): Promise<string> => at(now, visible);

const TIMERS = [
  'nextTick',
  'setImmediate',
  'clearImmediate',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'queueMicrotask',
  'performance',
  'hrtime',
] as const;

const MINUTE = 60_000;

describe('the clock', () => {
  it('is read again for the presets of every report', async () => {
    const now = Date.now();
    for (const moment of [now, now + MINUTE, now]) {
      const reply = await at(moment, () => world.as('amy').get('/permissions/me'));
      const presets = { last_access: new Date(moment).toISOString() };
      expect(reply.data).toMatchObject({ service_users: { create: { presets } } });
    }
  });

  it('ends a grant exactly at its end, not a millisecond before', async () => {
    const end = Date.now() + MINUTE;
    const grant = { policy: '<seeing>', user: '<amy>', expires_at: new Date(end).toISOString() };
    await perform('post', '/access', grant);
    expect(await visibleAt(end - 1)).toBe(ALL);
    expect(await visibleAt(end)).toBe(NOTHING);
    expect(await visibleAt(end - 1)).toBe(ALL);
    expect(await visibleAt(end + 1)).toBe(NOTHING);
  });

  it('is read again for each request by a rule with $NOW', async () => {
    await perform('post', '/access', { policy: '<ageing>', user: '<amy>' });
    const now = Date.now();
    expect(await visibleAt(now)).toBe('0: ');
    expect(await visibleAt(now + 10 * MINUTE)).toBe('2: email id');
    expect(await visibleAt(now)).toBe('0: ');
  });
});

describe('the address', () => {
  const from = async (address: string): Promise<number> =>
    (await world.as('amy').send('GET', '/users', undefined, { 'x-forwarded-for': address })).status;

  it('is that of the socket, whatever a header claims', async () => {
    await perform('patch', '/users/<amy>', { policies: ['<seeing>'] });
    await perform('patch', '/policies/<seeing>', { ip_access: ['10.0.0.0/8'] });
    expect(await from('10.1.2.3')).toBe(403);
    await perform('patch', '/policies/<seeing>', { ip_access: ['127.0.0.1'] });
    expect(await from('10.1.2.3')).toBe(200);
  });
});

describe('the address behind a trusted proxy', () => {
  it('is checked at each request', async () => {
    const app = await startTestApp({ env: { TRUST_PROXY: '1' } });
    const proxied = await seed(app, {
      policies: {
        inside: {
          rules: [read('service_users', ['email'])],
          ip_access: ['10.0.0.0/8', '2001:db8::/32'],
        },
      },
      users: { amy: { policies: ['inside'] } },
    });
    const from = async (address: string): Promise<number> =>
      (await proxied.as('amy').send('GET', '/users', undefined, { 'x-forwarded-for': address }))
        .status;
    const table: [string, number][] = [
      ['10.1.2.3', 200],
      ['11.1.2.3', 403],
      ['::ffff:10.1.2.3', 200],
      ['2001:db8:1::1', 200],
      ['2001:db9::1', 403],
      ['nonsense', 403],
      ['2001:db8:1::1%eth0', 200],
      [`2001:db8:1::1%${'z'.repeat(3_000)}`, 200],
      [`2001:db9::1%${'z'.repeat(3_000)}`, 403],
      ['11.1.2.3, 10.9.9.9', 200],
      ['10.1.2.3, 11.9.9.9', 403],
      ['10.1.2.3', 200],
    ];
    for (const [address, status] of table)
      expect([address, await from(address)]).toEqual([address, status]);
    await app.close();
  });

  it('is stored with a sign-in, however long its zone', async () => {
    for (const TRUST_PROXY of ['1', 'loopback, fe80::/10']) {
      const app = await startTestApp({ env: { TRUST_PROXY } });
      const headers = { 'x-forwarded-for': `fe80::2, fe80::1%${'z'.repeat(3_000)}` };
      const reply = await as(app).send('POST', '/auth/login', TEST_ADMIN, headers);
      expect(reply.status).toBe(200);
      const [row] = await app.database.query('SELECT ip FROM service_sessions');
      expect(row?.['ip']).toMatch(/^fe80::[12]$/);
      await app.close();
    }
  });
});

it('No statement is cached for a rule that means something else in each request', async () => {
  const cached = (): string[] => [...plainStatements.keys(), ...storingStatements.keys()];
  const recent = { date_created: { _gt: '$NOW(-5 minutes)' } };
  const more = await seed(world.app, {
    policies: {
      asking: [
        read('service_users', ['email', 'title'], recent),
        create('service_users', ['email']),
        update('service_users', ['title'], recent),
      ],
    },
    users: { ben: { policies: ['asking'] } },
  });
  const ben = more.as('ben');
  const { data } = await ben.post('/users?fields=email', { email: 'first@example.com' });
  expect(data).toEqual({ email: 'first@example.com' });
  const before = cached();
  for (const round of [1, 2, 3]) {
    const email = `new${round}@example.com`;
    expect((await ben.post('/users?fields=email', { email })).data).toEqual({ email });
    const changed = await ben.patch(more.fill('/users/<ben>?fields=title'), { title: email });
    expect(changed.data).toEqual({ title: email });
  }
  expect(cached().filter((name) => !before.includes(name))).toEqual([]);
});
