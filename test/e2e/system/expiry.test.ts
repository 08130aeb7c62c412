import { type SeedData, read, seed, type World } from '../../factories';
import { startTestApp } from '../../support';

/** Grants that end by themselves, without a request or a message. */
const SEED: SeedData = {
  policies: {
    rooms: [read('service_roles', ['name'])],
    app: { rules: [], app_access: true },
  },
  users: { ann: {}, bob: {} },
};

let world: World;
let now = Date.now();

beforeAll(async () => {
  jest.useFakeTimers({ doNotFake: NOT_FAKED, now });
  world = await seed(await startTestApp({ env: { ACCESS_TOKEN_TTL: '3h' } }), SEED);
});

afterAll(async () => {
  await world.app.close();
  jest.useRealTimers();
});

/** Everything except the clock. */
const NOT_FAKED = [
  ...([
    'hrtime',
    'nextTick',
    'performance',
    'queueMicrotask',
    'setImmediate',
    'setInterval',
  ] as const),
  ...(['setTimeout', 'clearImmediate', 'clearInterval', 'clearTimeout'] as const),
];

const at = (time: number): void => {
  now = time;
  jest.setSystemTime(now);
};

const graphql = (query: string) => world.as('ann').post('/graphql/system', { query });

describe('a grant with an end', () => {
  it('applies until its end and not at it, over REST and GraphQL and in all reports', async () => {
    const end = now + 3_600_000;
    const expires_at = new Date(end).toISOString();
    const rows = ['rooms', 'app'].map((policy) => ({
      policy: `<${policy}>`,
      user: '<ann>',
      expires_at,
    }));
    const made = await world.as('admin').post('/access', world.fill(rows));
    expect(made.status).toBe(200);
    const ann = world.as('ann');
    at(end - 1);
    expect((await ann.get('/roles?fields=name')).status).toBe(200);
    expect((await graphql('{ roles { name } }')).codes).toEqual([]);
    expect(Object.keys((await ann.get('/permissions/me')).data)).toContain('service_roles');
    expect((await ann.get('/policies/me/globals')).data).toMatchObject({ app_access: true });
    at(end);
    expect((await ann.get('/roles?fields=name')).codes).toEqual(['FORBIDDEN']);
    expect((await graphql('{ roles { name } }')).codes).toEqual(['FORBIDDEN']);
    expect((await ann.get('/permissions/me')).data).toEqual({});
    expect((await graphql('{ permissions_me }')).data).toEqual({ permissions_me: {} });
    expect((await ann.get('/policies/me/globals')).data).toMatchObject({ app_access: false });
    expect((await ann.get('/users/me?fields=email')).status).toBe(200);
  });

  it('applies again with another end', async () => {
    const admin = world.as('admin');
    const [row] = (
      await admin.get(world.fill('/access?filter[user][_eq]=<ann>&filter[policy][_eq]=<rooms>'))
    ).data as unknown as { id: string }[];
    const path = `/access/${row?.id}`;
    expect((await admin.patch(path, { expires_at: null })).status).toBe(200);
    expect((await world.as('ann').get('/roles?fields=name')).status).toBe(200);
    expect((await admin.patch(path, { expires_at: new Date(now).toISOString() })).status).toBe(200);
    expect((await world.as('ann').get('/roles?fields=name')).codes).toEqual(['FORBIDDEN']);
  });

  it('ends for everyone if it was for everyone', async () => {
    const end = now + 60_000;
    const admin = world.as('admin');
    const row = { policy: '<rooms>', expires_at: new Date(end).toISOString() };
    expect((await admin.post('/access', world.fill(row))).status).toBe(200);
    for (const who of ['bob', null]) {
      at(end - 1);
      expect((await world.as(who).get('/roles?fields=name')).status).toBe(200);
      at(end);
      expect((await world.as(who).get('/roles?fields=name')).codes).toEqual(['FORBIDDEN']);
    }
  });
});
