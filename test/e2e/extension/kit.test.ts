import { Collections, CollectionsModule } from 'doorward';
import { read, remove, seed, update, create, type World } from '../../factories';
import { startTestApp, type TestClient } from '../../support';
import { Counter, PlainThing, Ticket, TicketMark, Topic, Unrouted } from './helpdesk';

let world: World;
let admin: TestClient;
let ann: TestClient;

const SEED = {
  policies: {
    linkers: [
      read('tickets', ['id', 'title', 'topics']),
      create('tickets', ['title', 'topics']),
      update('tickets', ['topics']),
      read('topics', ['id', 'name']),
    ],
    markers: [
      read('tickets', ['id', 'marks']),
      update('tickets', ['marks']),
      read('topics', ['id', 'name']),
      read('ticket_marks', ['ticket', 'topic']),
      create('ticket_marks', ['ticket', 'topic']),
      remove('ticket_marks', { topic: { name: { _eq: 'loose' } } }),
    ],
    viewers: [read('tickets', ['id', 'title', 'marks']), read('topics', ['id', 'name'])],
  },
  users: {
    ann: { policies: ['linkers'] },
    mark: { policies: ['markers'] },
    viv: { policies: ['viewers'] },
  },
};

beforeAll(async () => {
  const app = await startTestApp({
    imports: [
      CollectionsModule.forFeature([Ticket, Topic, TicketMark, PlainThing]),
      CollectionsModule.forFeature([Counter], { path: 'helpdesk/counter' }),
      CollectionsModule.forFeature([Unrouted], { routes: false }),
    ],
    synchronize: true,
  });
  world = await seed(app, SEED);
  admin = world.as('admin');
  ann = world.as('ann');
});

afterAll(() => world.app.close());

const made = async (path: string, body: object): Promise<{ id: string }> => {
  const reply = await admin.post(path, body);
  expect(reply.status).toBe(200);
  return reply.data as { id: string };
};
const topic = async (name: string): Promise<string> => (await made('/items/topics', { name })).id;
const graphql = async (query: string) => {
  const reply = await admin.post('/graphql', { query });
  expect(reply.codes).toEqual([]);
  return reply.data;
};

const byName = (list: string): string => `deep={"${list}":{"_sort":"name"}}`;

describe('A collection with another name than its table', () => {
  it('is served, described and named in rules by that name', async () => {
    const { id } = await made('/items/tickets', { title: 'named' });
    const reply = await ann.get(`/items/tickets/${id}`);
    expect(reply.data).toEqual({ id, title: 'named' });
    expect(await admin.get('/items/helpdesk_tickets')).toMatchObject({ status: 403 });
    expect(await graphql(`{ tickets_by_id(id: "${id}") { title } }`)).toEqual({
      tickets_by_id: { title: 'named' },
    });
  });

  it('is named so in relations, including those to itself', async () => {
    const parent = await made('/items/tickets', { title: 'above' });
    const child = await made('/items/tickets', { title: 'below', parent: parent.id });
    const reply = await admin.get(
      `/items/tickets/${parent.id}?fields=children.title,children.parent.title`,
    );
    expect(reply.data).toEqual({ children: [{ title: 'below', parent: { title: 'above' } }] });
    const names = { title: 'below', parent: { title: 'above' } };
    expect(
      await graphql(`{ tickets_by_id(id: "${child.id}") { title parent { title } } }`),
    ).toEqual({ tickets_by_id: names });
  });

  it('names collection and field in constraint errors', async () => {
    const reply = await admin.post('/items/tickets', { title: 'x', parent: 4711 });
    expect(reply.body).toMatchObject({
      errors: [
        { extensions: { code: 'INVALID_FOREIGN_KEY', collection: 'tickets', field: 'parent' } },
      ],
    });
  });
});

describe('An entity of plain TypeORM', () => {
  it('is a collection of its described fields', async () => {
    const { id } = await made('/items/plain_things', {});
    expect((await admin.get(`/items/plain_things/${id}`)).data).toEqual({ id });
    const reply = await admin.get('/items/plain_things?fields=unexposed');
    expect(reply.codes).toEqual(['FORBIDDEN']);
  });
});

describe('Routes', () => {
  it('are at the path that the module sets', async () => {
    await world.app.database.query('INSERT INTO counters DEFAULT VALUES');
    expect((await admin.patch('/helpdesk/counter', { count: 3 })).data).toMatchObject({ count: 3 });
    expect((await admin.get('/items/counters')).status).toBe(403);
  });

  it('are left out if the module says so, and so are the operations', async () => {
    expect((await admin.get('/items/unrouted')).status).toBe(403);
    const reply = await admin.post('/graphql', { query: '{ unrouted { id } }' });
    expect(reply.status).toBe(400);
    const written = await admin.post('/graphql', {
      query: 'mutation { create_unrouted_item(data: {}) { id } }',
    });
    expect(written.status).toBe(400);
    const collections = world.app.app.get(Collections);
    const page = await collections.repository(Unrouted).list(collections.asSystem('a test'), {});
    expect(page.rows).toEqual([]);
  });

  it.each(['bills', 'helpdesk_tickets_topics'])(
    '%s has no service, since it is not a collection',
    (name) => {
      expect(() => world.app.app.get(Collections).service(name)).toThrow(
        `There is no collection ${name}: add its entity to a CollectionsModule.forFeature([…]).`,
      );
    },
  );
});

describe('An enum type of the database', () => {
  let id: string;

  beforeAll(async () => {
    id = (await made('/items/tickets', { title: 'enum', level: 'high', wished: 'middle' })).id;
  });

  const found = async (filter: object): Promise<unknown> => {
    const all = { _and: [{ title: { _eq: 'enum' } }, filter] };
    const reply = await admin.get(`/items/tickets?fields=id&filter=${JSON.stringify(all)}`);
    expect(reply.status).toBe(200);
    return reply.data;
  };

  it.each([
    { level: { _eq: 'high' } },
    { level: { _neq: 'low' } },
    { level: { _in: ['high', 'low'] } },
    { level: { _nin: ['low'] } },
    { wished: { _nnull: true } },
  ])('is filtered by %j', async (filter) => {
    expect(await found(filter)).toEqual([{ id }]);
  });

  it.each([{ level: { _eq: 'low' } }, { level: { _in: [] } }, { wished: { _null: true } }])(
    'is not found by %j',
    async (filter) => {
      expect(await found(filter)).toEqual([]);
    },
  );

  it('is searched, sorted, grouped, changed and cleared', async () => {
    const sorted = await admin.get('/items/tickets?search=enum&sort=-level,wished&fields=level');
    expect(sorted.data).toEqual([{ level: 'high' }]);
    const grouped = await admin.get(
      '/items/tickets?search=enum&groupBy[]=level&aggregate[count]=id',
    );
    expect(grouped.data).toEqual([{ level: 'high', count: { id: 1 } }]);
    const changed = await admin.patch(`/items/tickets/${id}`, { level: 'middle', wished: null });
    expect(changed.data).toMatchObject({ level: 'middle', wished: null });
    await admin.patch(`/items/tickets/${id}`, { level: 'high', wished: 'middle' });
  });

  it('refuses a value that is not one of its choices', async () => {
    expect((await admin.post('/items/tickets', { title: 'x', level: 'top' })).codes).toEqual([
      'FAILED_VALIDATION',
    ]);
    const filter = JSON.stringify({ level: { _eq: 'top' } });
    expect((await admin.get(`/items/tickets?filter=${filter}`)).codes).toEqual(['INVALID_QUERY']);
  });

  it('works in rules, even if a value of the caller is not one of its choices', async () => {
    const rule = {
      ...read('tickets', ['title'], {
        _or: [{ level: { _eq: 'high' } }, { level: { _eq: '$CURRENT_USER.title' } }],
      }),
      policy: world.id('viewers'),
    };
    const { id: made } = (await admin.post('/permissions', rule)).data;
    expect((await world.as('viv').get('/items/tickets?fields=title')).status).toBe(200);
    await admin.delete(`/permissions/${String(made)}`);
  });
});

describe('An array', () => {
  it('is written, read, filtered and described', async () => {
    const { id } = await made('/items/tickets', {
      title: 'array',
      labels: ['a,b', '"c"', ''],
      votes: [1, -2, 3],
    });
    const fields = 'labels,votes';
    expect((await admin.get(`/items/tickets/${id}?fields=${fields}`)).data).toEqual({
      labels: ['a,b', '"c"', ''],
      votes: [1, -2, 3],
    });
    const filter = JSON.stringify({ title: { _eq: 'array' }, 'count(votes)': { _eq: 3 } });
    expect((await admin.get(`/items/tickets?fields=id&filter=${filter}`)).data).toEqual([{ id }]);
    const empty = JSON.stringify({ labels: { _nempty: true } });
    expect((await admin.get(`/items/tickets?fields=id&filter=${empty}`)).data).toEqual([{ id }]);
    expect(await graphql(`{ tickets_by_id(id: "${id}") { votes } }`)).toEqual({
      tickets_by_id: { votes: [1, -2, 3] },
    });
    const cleared = await admin.patch(`/items/tickets/${id}`, { labels: [], votes: null });
    expect(cleared.data).toMatchObject({ labels: [], votes: null });
  });

  it.each([[{ votes: ['x'] }], [{ votes: [2 ** 40] }], [{ labels: 'a' }], [{ labels: [null] }]])(
    'refuses %j',
    async (body) => {
      const reply = await admin.post('/items/tickets', { title: 'x', ...body });
      expect(reply.status).toBe(400);
    },
  );
});

describe('A many-to-many through a table that TypeORM maintains', () => {
  it('is granted with its list: linking, unlinking, reading', async () => {
    const [one, two] = [await topic('one'), await topic('two')];
    const reply = await ann.post(`/items/tickets?fields=id,topics.name&${byName('topics')}`, {
      title: 'linked',
      topics: [one, two],
    });
    expect(reply.data).toMatchObject({ topics: [{ name: 'one' }, { name: 'two' }] });
    const path = `/items/tickets/${String(reply.data['id'])}?fields=topics.name`;
    expect((await ann.patch(path, { topics: { delete: [one] } })).data).toEqual({
      topics: [{ name: 'two' }],
    });
    expect((await ann.patch(path, { topics: [] })).data).toEqual({ topics: [] });
    expect((await world.as('viv').get(path)).codes).toEqual(['FORBIDDEN']);
  });

  it('is one table from both sides', async () => {
    const { id } = await made('/items/tickets', { title: 'from afar' });
    const there = await made('/items/topics', { name: 'both', tickets: [id] });
    expect((await admin.get(`/items/tickets/${id}?fields=topics.name`)).data).toEqual({
      topics: [{ name: 'both' }],
    });
    const filter = JSON.stringify({ topics: { tickets: { title: { _eq: 'from afar' } } } });
    expect((await admin.get(`/items/tickets?fields=id&filter=${filter}`)).data).toEqual([{ id }]);
    expect((await admin.get(`/items/topics/${there.id}?fields=tickets`)).data).toEqual({
      tickets: [id],
    });
  });

  it('cannot be named by a rule, a route or a query', async () => {
    const rule = { collection: 'helpdesk_tickets_topics', action: 'read', fields: ['*'] };
    const policy = world.id('viewers');
    expect((await admin.post('/permissions', { ...rule, policy })).status).toBe(400);
    expect((await admin.get('/items/helpdesk_tickets_topics')).status).toBe(403);
    expect((await admin.get('/fields/junction "helpdesk_tickets_topics"')).status).toBe(403);
  });
});

describe('A many-to-many through a collection', () => {
  it('requires rights on its rows', async () => {
    const [kept, loose] = [await topic('kept'), await topic('loose')];
    const { id } = await made('/items/tickets', { title: 'marked', marks: [kept] });
    const path = `/items/tickets/${id}?fields=marks.name&${byName('marks')}`;
    const mark = world.as('mark');
    expect((await world.as('viv').get(path)).data).toEqual({ marks: [] });
    expect((await mark.patch(path, { marks: { create: [], update: [loose] } })).data).toEqual({
      marks: [{ name: 'kept' }, { name: 'loose' }],
    });
    expect((await mark.patch(path, { marks: [loose] })).codes).toEqual(['FORBIDDEN']);
    expect((await mark.patch(path, { marks: [kept] })).data).toEqual({ marks: [{ name: 'kept' }] });
  });
});
