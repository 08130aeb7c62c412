import { read, seed, type World } from '../factories';
import { as, sendRaw, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

const METRICS_TOKEN = 'canary-of-the-scraper';

/** The value of one series; undefined if there is none. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const requests = (method: string, route: string, status: number): string =>
  `doorward_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

describe('/metrics', () => {
  let app: TestApp;
  let world: World;
  const scrape = async (of: TestApp = app): Promise<string> =>
    (await as(of, METRICS_TOKEN).get('/metrics')).text;

  beforeAll(async () => {
    app = await startTestApp({ host: 'own', env: { METRICS_TOKEN } });
    world = await seed(app, {
      policies: { readers: [read('service_roles', ['name'])] },
      users: { ann: { policies: ['readers'] } },
    });
  });

  afterAll(() => app.close());

  it.each<[string, string | undefined, number]>([
    ['callers without a token', undefined, 403],
    ['callers with a part of the token', METRICS_TOKEN.slice(1), 401],
    ['callers with more than the token', `${METRICS_TOKEN}x`, 401],
  ])('is refused to %s', async (_, token, status) => {
    const reply = await as(app, token).get('/metrics');
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain('doorward_');
  });

  it('is refused to users, and open to administrators and with its token', async () => {
    const { codes, headers: refused } = await world.as('ann').get('/metrics');
    expect([codes, refused.get('content-type')]).toEqual([
      ['FORBIDDEN'],
      'application/json; charset=utf-8',
    ]);
    const { access_token } = await signIn(app, TEST_ADMIN);
    for (const token of [access_token, METRICS_TOKEN]) {
      const { status, headers, text } = await as(app, token).get('/metrics');
      expect([status, headers.get('content-type')]).toEqual([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ]);
      expect(text).toContain('# TYPE doorward_http_request_duration_seconds histogram');
    }
  });

  it('counts HEAD as HEAD', async () => {
    const series = requests('HEAD', '/graphql', 200);
    const before = valueOf(await scrape(), series) ?? 0;
    await fetch(`${app.url}/graphql?query={__typename}`, { method: 'HEAD' });
    expect(valueOf(await scrape(), series)).toBe(before + 1);
  });

  it('counts input that is not a request', async () => {
    const series = requests('unknown', 'unreadable', 400);
    const before = valueOf(await scrape(), series) ?? 0;
    await sendRaw(app, 'canary\r\n\r\n');
    expect(valueOf(await scrape(), series)).toBe(before + 1);
  });

  it('counts requests by the pattern of the route, whatever is sent as path', async () => {
    const routes = (text: string): Set<string> =>
      new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route = '']) => route));
    const known = ['/items/:collection', '/graphql/system', 'unmatched', '/metrics'];
    const counted = [
      requests('GET', '/items/:collection', 403),
      requests('POST', '/graphql/system', 200),
      requests('GET', 'unmatched', 404),
    ];
    await as(app).get('/items/nothing-of-this');
    await as(app).graphql('{ roles { name } }', {}, '/graphql/system');
    await as(app).get('/such-a-path');
    const before = await scrape();
    for (let number = 0; number < 5; number += 1) {
      await as(app).get(`/items/canary-${number}?token=canary`);
      await as(app).graphql(
        '{ roles { name } }',
        {},
        number % 2 ? '/GRAPHQL/System/' : '/graphql/system',
      );
      await as(app).get(`/canary-${number}/`);
      await as(app).get(`/graphql/canary-${number}`);
    }
    const after = await scrape();
    const grown = counted.map((each) => (valueOf(after, each) ?? 0) - (valueOf(before, each) ?? 0));
    expect(grown).toEqual([5, 5, 10]);
    expect([...routes(after)]).toEqual(expect.arrayContaining(known));
    expect([...routes(after)].filter((route) => route.includes('canary'))).toEqual([]);
    expect(after.toLowerCase()).not.toContain('canary');
  });

  it('counts decisions by their outcome', async () => {
    const series = ['unrestricted', 'by_rule', 'refused'].map(
      (outcome) => `doorward_decisions_total{action="read",outcome="${outcome}"}`,
    );
    const values = async (): Promise<number[]> => {
      const text = await scrape();
      return series.map((each) => valueOf(text, each) ?? 0);
    };
    const admin = as(app, (await signIn(app, TEST_ADMIN)).access_token);
    const grownBy = async (ask: () => Promise<unknown>): Promise<boolean[]> => {
      const before = await values();
      await ask();
      return (await values()).map((value, index) => value > (before[index] ?? 0));
    };
    expect(await grownBy(() => admin.get('/users'))).toEqual([true, false, false]);
    expect(await grownBy(() => world.as('ann').get('/roles'))).toEqual([false, true, false]);
    expect(await grownBy(() => world.as('ann').get('/policies'))).toEqual([false, false, true]);
    expect(
      await grownBy(() => world.as('ann').graphql('{ policies { id } }', {}, '/graphql/system')),
    ).toEqual([false, false, true]);
  });

  it('shows what is cached, and when it is dropped', async () => {
    await world.as('ann').get('/roles');
    const held = await scrape();
    const caches = [...held.matchAll(/doorward_cache_bytes\{cache="(\w+)"\}/g)];
    expect(new Set(caches.map(([, name]) => name))).toEqual(
      new Set([
        ...[
          'decisions',
          'graphql_documents',
          'graphql_introspections',
          'graphql_sizes',
          'openapi',
          'patterns',
          'permission_reports',
          'principals',
          'queries',
          'rules',
          'sessions',
          'signed_tokens',
          'statement_names',
          'statement_times',
          'statements',
        ],
        ...['static_tokens', 'storing_statements'],
      ]),
    );
    const principals = ['entries', 'bytes'].map(
      (unit) => `doorward_cache_${unit}{cache="principals"}`,
    );
    for (const each of principals) expect(valueOf(held, each)).toBeGreaterThan(0);
    const { access_token } = await signIn(app, TEST_ADMIN);
    expect((await as(app, access_token).post('/policies', { name: 'Other' })).status).toBe(200);
    const dropped = await scrape();
    for (const each of principals) {
      expect(valueOf(dropped, each)).toBeLessThan(valueOf(held, each) ?? 0);
    }
  });

  it('shows connections, mails, memory, CPU and the event loop', async () => {
    const text = await scrape();
    const one = (name: string): number => valueOf(text, name) ?? NaN;
    const state = (name: string): number => one(`doorward_database_connections{state="${name}"}`);
    expect(state('idle') + state('busy')).toBeGreaterThan(0);
    expect(state('waited_for')).toBe(0);
    for (const name of ['waiting', 'failing', 'given_up']) {
      expect(one(`doorward_mails{state="${name}"}`)).toBe(0);
    }
    for (const queue of ['mail', 'registrations', 'password-resets']) {
      for (const name of ['waiting', 'failing']) {
        expect(one(`doorward_jobs{queue="${queue}",state="${name}"}`)).toBe(0);
      }
    }
    expect(one('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(one('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(one('doorward_event_loop_lag_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
  });

  it('counts the jobs of each queue, also of queues without a worker here', async () => {
    const other = await startTestApp({ host: 'own', env: { METRICS_TOKEN } });
    try {
      await other.database.query(
        `INSERT INTO service_jobs (id, queue, content, expires_at, next_try, last_fault)
         SELECT gen_random_uuid(), queue, 'x', now() + interval '1 hour', now() + interval '1 hour', fault
         FROM (VALUES ('mail', 'refused'), ('mail', NULL), ('invoices', NULL)) job (queue, fault)`,
      );
      const text = await scrape(other);
      const jobs = (queue: string, state: string): number | undefined =>
        valueOf(text, `doorward_jobs{queue="${queue}",state="${state}"}`);
      expect([jobs('mail', 'waiting'), jobs('mail', 'failing')]).toEqual([2, 1]);
      expect([jobs('invoices', 'waiting'), jobs('invoices', 'failing')]).toEqual([1, 0]);
    } finally {
      await other.close();
    }
  });

  it('shows the longest lag of the event loop since the last scrape', async () => {
    const longest = 'doorward_event_loop_lag_seconds{quantile="1"}';
    const waited = new Promise((resolve) => setTimeout(resolve, 100));
    await scrape();
    await waited;
    const end = Date.now() + 300;
    while (Date.now() < end);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(valueOf(await scrape(), longest)).toBeGreaterThan(0.2);
  });

  it.each(['access_token', 'token', 'x'])(
    'refuses the parameter %s in its address',
    async (name) => {
      const { status, codes } = await as(app, METRICS_TOKEN).get(
        `/metrics?${name}=${METRICS_TOKEN}`,
      );
      expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
    },
  );

  it('keeps the applications of one process apart', async () => {
    const other = await startTestApp({ host: 'own', env: { METRICS_TOKEN } });
    try {
      await as(app).get('/server/ping');
      expect(valueOf(await scrape(other), requests('GET', '/server/ping', 200))).toBeUndefined();
      expect(valueOf(await scrape(), requests('GET', '/server/ping', 200))).toBeGreaterThan(0);
    } finally {
      await other.close();
    }
  });

  it('shows all other values while the database does not answer', async () => {
    const other = await startTestApp({ host: 'own', env: { METRICS_TOKEN } });
    try {
      jest.spyOn(other.database, 'query').mockRejectedValue(new Error('gone'));
      const text = await scrape(other);
      expect(text).toContain('doorward_database_connections{state="idle"}');
      expect(text).not.toMatch(/doorward_(mails|jobs)\{/);
    } finally {
      jest.restoreAllMocks();
      await other.close();
    }
  });
});
