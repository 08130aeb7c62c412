import {
  as,
  type SeedData,
  OWN_USER,
  PASSWORD,
  emailOf,
  read,
  remove,
  seed,
  signIn,
  startTestApp,
  type TestApp,
  update,
  type World,
} from 'doorward/testing';
import { SampleModule } from '../../sample-extension/sample.module';
import { runProgram } from '../../support';

/** The exports of `doorward/testing`, on the embedded database as in a team's tests. */
let app: TestApp;
let world: World;

/** A start takes seconds on a busy machine; something left open would keep the process alive for ever. */
const ENDS_WITHIN_MS = 60_000;

const SEED: SeedData = {
  policies: {
    readers: [
      read('articles', ['title', 'date_created'], { published_at: { _lte: '$NOW' } }),
      read('service_users', ['email'], OWN_USER),
    ],
    writers: [
      read('articles', ['title', 'owner'], { owner: { _eq: '$CURRENT_USER' } }),
      update('articles', ['title'], { owner: { _eq: '$CURRENT_USER' } }),
      remove('articles', { status: { _eq: 'archived' } }),
    ],
  },
  roles: { staff: { policies: ['writers'] } },
  users: {
    ann: { policies: ['readers'] },
    bob: { role: 'staff', email: 'robert@example.com', password: 'four-blue-teapots' },
    cleo: { status: 'suspended', policies: ['readers'] },
    dan: { password: null, policies: ['readers'] },
    eli: { email: null },
    fay: { provider: 'acme', external_identifier: 'fay' },
  },
  rows: {
    site: [{ name: 'The Gazette' }],
    categories: { world: { name: '  World ' }, europe: { name: 'Europe', parent: '<world>' } },
    articles: {
      rivers: { title: 'Rivers', owner: '<bob>', published_at: '2024-02-29T12:00:00Z' },
      hills: { title: 'Hills', owner: '<ann>', published_at: '2199-01-01T00:00:00Z' },
    },
  },
};

beforeAll(async () => {
  app = await startTestApp({ imports: [SampleModule] });
  world = await seed(app, SEED);
});

afterEach(() => app.clock.reset());
afterAll(() => app.close());

const titles = async (name: string | null): Promise<string[]> => {
  const reply = await world.as(name).get<{ title: string }[]>('/items/articles?sort=title');
  return reply.status === 200 ? reply.data.map(({ title }) => title) : reply.codes;
};

describe('seeded users', () => {
  it('are signed in, each with their rules', async () => {
    expect([await titles('ann'), await titles('bob')]).toEqual([['Rivers'], ['Rivers']]);
    expect(await titles('admin')).toEqual(['Hills', 'Rivers']);
    expect(await titles(null)).toEqual(['FORBIDDEN']);
  });

  it.each(['cleo', 'dan', 'eli', 'fay'])(
    'who cannot sign in are there, and their clients send a token that is refused: %s',
    async (name) => {
      expect(await titles(name)).toEqual(['INVALID_CREDENTIALS']);
      expect((await world.as('admin').get(world.fill(`/users/<${name}>`))).status).toBe(200);
    },
  );

  it('speak GraphQL too, with variables, on both endpoints', async () => {
    const document = 'query ($id: ID!) { articles_by_id(id: $id) { title } }';
    const variables = world.fill({ id: '<rivers>' });
    const reply = await world.as('bob').graphql(document, variables);
    expect([reply.codes, reply.data]).toEqual([[], { articles_by_id: { title: 'Rivers' } }]);
    const system = await world.as('ann').graphql('{ users { email } }', {}, '/graphql/system');
    expect(system.data).toEqual({ users: [{ email: emailOf('ann') }] });
  });

  it('write what they may', async () => {
    const path = world.fill('/items/articles/<rivers>');
    const changed = await world.as('bob').patch<{ title: string }>(path, { title: 'Rivers' });
    expect([changed.status, changed.data.title]).toEqual([200, 'Rivers']);
    expect((await world.as('ann').patch(path, { title: 'Mine' })).codes).toEqual(['FORBIDDEN']);
    expect((await world.as('bob').delete(path)).codes).toEqual(['FORBIDDEN']);
  });

  it('are found by their names, and unknown names are refused', () => {
    expect(() => world.as('dora')).toThrow('nobody is called dora');
    expect(() => world.fill({ owner: '<dora>' })).toThrow('nothing is called <dora>');
    world.name('dora', 7);
    const published = new Date(0);
    expect(world.fill({ a: ['<dora>', 'is <dora>'], published })).toEqual({
      a: [7, 'is 7'],
      published,
    });
  });
});

it('names with a meaning of their own cannot be given to others', async () => {
  for (const taken of [
    { policies: { all: [] } },
    { users: { admin: {} } },
    { roles: { administrators: {} } },
  ]) {
    await expect(seed(app, taken)).rejects.toThrow('this name exists from the start');
  }
});

it('a text of a row may hold what looks like a name, and what is refused is named', async () => {
  const body = '<p>Hello <em>you</em></p>';
  const made = await seed(app, { rows: { articles: { marked: { title: 'Marked', body } } } });
  const { data } = await world.as('admin').get(made.fill('/items/articles/<marked>?fields=body'));
  expect(data).toEqual({ body });
  await world.as('admin').delete(made.fill('/items/articles/<marked>'));
  const unknown = { rows: { articles: { lost: { title: 'Lost', owner: '<dorothy>' } } } };
  await expect(seed(app, unknown)).rejects.toThrow(
    'rows.articles.lost was refused: nothing is called <dorothy>',
  );
});

describe('seeded rows', () => {
  it('are created with hooks and relations, and the one row of a singleton is updated', async () => {
    const admin = world.as('admin');
    const categories = await admin.get('/items/categories?sort=id&fields=name,parent');
    expect(categories.data).toEqual([
      { name: 'World', parent: null },
      { name: 'Europe', parent: world.id('world') },
    ]);
    expect((await admin.get('/items/site?fields=name')).data).toEqual({ name: 'The Gazette' });
  });

  it.each([
    [
      { categories: [{ name: 'Asia' }, { name: 'World' }] },
      'rows.categories[1] was refused: .*name.*RECORD_NOT_UNIQUE',
    ],
    [{ articles: { third: { title: 3 } } }, 'rows.articles.third was refused: .*title'],
    [{ articles: [{ titel: 'Lakes' }] }, 'rows.articles[0] was refused: .*titel'],
    [{ articel: [{ title: 'Lakes' }] }, 'rows.articel[0] was refused: .*articel'],
    [{ articles: { admin: { title: 'Lakes' } } }, 'There are two things called <admin>'],
  ])('report why they are refused: %j', async (rows, sentence) => {
    const pattern = sentence.replaceAll(/[[\]]/g, '\\$&');
    await expect(seed(app, { rows })).rejects.toThrow(new RegExp(pattern));
  });

  it('report why a rule is refused', async () => {
    const policies = { odd: [read('articles', ['titel'])] };
    await expect(seed(app, { policies })).rejects.toThrow(/\/permissions .*titel/);
  });
});

describe('the clock', () => {
  it('moves what rules compare with, in REST and GraphQL', async () => {
    app.clock.set('2199-01-02T00:00:00Z');
    expect(await titles('ann')).toEqual(['Hills', 'Rivers']);
    const reply = await world.as('ann').graphql<{ articles: [] }>('{ articles { title } }');
    expect(reply.data.articles.length).toBe(2);
    app.clock.reset();
    expect(await titles('ann')).toEqual(['Rivers']);
  });

  it('moves what the database writes', async () => {
    app.clock.set('2031-05-06T07:08:09Z');
    const made = await world
      .as('admin')
      .post<{ id: number; date_created: string }>('/items/articles', { title: 'Then' });
    expect(made.data.date_created).toMatch(/^2031-05-06T07:0[89]/);
    expect((await world.as('admin').delete(`/items/articles/${made.data.id}`)).status).toBe(204);
  });

  it('ends tokens, sessions and temporary access; seeded users sign in again', async () => {
    const credentials = { email: emailOf('ann'), password: PASSWORD };
    const { access_token, refresh_token } = await signIn(app, credentials);
    const ends = { expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    const access = world.fill({ user: '<bob>', policy: '<readers>', ...ends });
    expect((await world.as('admin').post('/access', access)).status).toBe(200);
    app.clock.advance('59m');
    expect((await world.as('bob').get('/users/me?fields=email')).status).toBe(200);
    expect((await as(app, access_token).get('/users/me')).codes).toEqual(['TOKEN_EXPIRED']);
    app.clock.advance('2m');
    expect((await world.as('bob').get('/users')).codes).toEqual(['FORBIDDEN']);
    app.clock.advance('7d');
    const refreshed = await as(app).post('/auth/refresh', { mode: 'json', refresh_token });
    expect(refreshed.codes).toEqual(['INVALID_CREDENTIALS']);
  });

  it('is right again when the application is closed', async () => {
    const real = Date;
    const other = await startTestApp();
    other.clock.advance('-365d');
    expect(Date).not.toBe(real);
    await other.close();
    expect(Date).toBe(real);
  });
});

it('reports why an application does not start, and leaves nothing open', async () => {
  const starting = startTestApp({ env: { SESSION_TTL: 'long' }, logger: false });
  await expect(starting).rejects.toThrow('SESSION_TTL must be a duration');
});

it('leaves nothing open if a start is refused after the database was opened, so that the process ends', async () => {
  const program = runProgram('test/e2e/extension/refused-test-app.ts', {});
  const late = setTimeout(() => program.child.kill('SIGKILL'), ENDS_WITHIN_MS);
  expect(await program.ends()).toBe(0);
  clearTimeout(late);
  expect(program.output()).toMatch(/^refused: .*nots/);
});
