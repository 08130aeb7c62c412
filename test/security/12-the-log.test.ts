import { type SeedData, read } from '../factories';
import { openSampleWorld, type SampleWorld } from './items/sample-world';

/** Each user sees the articles that their other rules grant, and the whole log as far as it concerns these. */
const SEED: SeedData = {
  policies: {
    auditing: [read('service_activity', ['*'])],
    peeking: [
      read('articles', ['title'], { status: { _eq: 'published' } }),
      read('articles', ['price'], { owner: { _eq: '$CURRENT_USER' } }),
    ],
    plain: [read('service_activity', ['id', 'action', 'collection', 'item'])],
  },
  users: {
    ada: { policies: ['auditing', 'peeking'] },
    ben: { policies: ['auditing'] },
    cal: { policies: ['plain', 'peeking'] },
  },
};

type Entry = Readonly<Record<string, unknown>>;

let world: SampleWorld;

const admin = () => world.as('admin');

async function write(body: object, path = '/items/articles'): Promise<number> {
  const reply = await admin().post(path, world.fill(body));
  expect(reply.status).toBe(200);
  return reply.data['id'] as number;
}

/** What the log shows a user about an item: the same over REST and GraphQL. */
async function shownLog(
  caller: string,
  item: string | number,
  fields = 'action,fields,before,after,cut',
): Promise<Entry[]> {
  const filter = { collection: { _eq: 'articles' }, item: { _eq: String(item) } };
  const path = `/activity?sort=id&fields=${fields}&filter=${JSON.stringify(filter)}`;
  const reply = await world.as(caller).get(path);
  const query = `query ($filter: activity_filter) { activity(sort: ["id"], filter: $filter) { ${fields.replaceAll(',', ' ')} } }`;
  const twin = await world.as(caller).post('/graphql/system', { query, variables: { filter } });
  expect([reply.status, twin.status]).toEqual([200, 200]);
  const entries = reply.data as unknown as Entry[];
  expect(twin.data['activity']).toEqual(
    entries.map((entry) => ('id' in entry ? { ...entry, id: String(entry.id) } : entry)),
  );
  return entries;
}

beforeAll(async () => {
  world = await openSampleWorld(SEED);
}, 120_000);

afterAll(() => world.app.close());

describe('12: to a user who is not an administrator, the log', () => {
  it('shows only the changed fields that they may read on that row now', async () => {
    const id = await write({
      title: 'First',
      status: 'published',
      owner: '<ada>',
      price: '5.00',
      secret: 'hush',
    });
    const other = await write({
      title: 'Other',
      status: 'published',
      price: '6.00',
      secret: 'hush',
    });
    for (const item of [id, other]) {
      const changes = { title: 'Second', price: '7.00', secret: 'hush again', qty: 3 };
      expect((await admin().patch(`/items/articles/${item}`, changes)).status).toBe(200);
    }
    expect(await shownLog('ada', id)).toEqual([
      {
        action: 'create',
        fields: ['title', 'price'],
        before: null,
        after: { title: 'First', price: '5.00' },
        cut: [],
      },
      {
        action: 'update',
        fields: ['title', 'price'],
        before: { title: 'First', price: '5.00' },
        after: { title: 'Second', price: '7.00' },
        cut: [],
      },
    ]);
    expect(await shownLog('ada', other)).toEqual([
      { action: 'create', fields: ['title'], before: null, after: { title: 'Other' }, cut: [] },
      {
        action: 'update',
        fields: ['title'],
        before: { title: 'Other' },
        after: { title: 'Second' },
        cut: [],
      },
    ]);
    // A user who no longer sees the row no longer sees its entries either.
    await admin().patch(`/items/articles/${other}`, { status: 'draft' });
    expect(await shownLog('ada', other)).toEqual([]);
    await admin().patch(`/items/articles/${id}`, { owner: null });
    expect((await shownLog('ada', id)).map(({ fields }) => fields)).toEqual([
      ['title'],
      ['title'],
      [],
    ]);
    expect((await shownLog('admin', id))[1]).toMatchObject({
      before: { secret: 'hush', qty: null },
    });
  });

  it('has no entry about a row that they do not see, and does not count it', async () => {
    const id = await write({ title: 'Unseen', status: 'draft' });
    for (const caller of ['ada', 'ben', 'cal']) {
      expect(await shownLog(caller, id, 'id,action')).toEqual([]);
      const filter = JSON.stringify({ item: { _eq: String(id) } });
      const counted = await world.as(caller).get(`/activity?filter=${filter}&meta=*`);
      const all = await world.as(caller).get('/activity?limit=-1&fields=id');
      const { total_count, filter_count } = (counted.body as { meta: Record<string, number> }).meta;
      expect([total_count, filter_count]).toEqual([(all.data as unknown as Entry[]).length, 0]);
      const summed = await world.as(caller).get(`/activity?aggregate[count]=*&filter=${filter}`);
      expect(summed.data).toEqual([{ count: 0 }]);
    }
    const [entry] = await shownLog('admin', id, 'id');
    const hidden = await world.as('ada').get(`/activity/${String(entry?.['id'])}`);
    const missing = await world.as('ada').get('/activity/999999999');
    expect([hidden.status, hidden.text]).toEqual([403, missing.text]);
    // A user who may read only the log sees no entries.
    expect((await world.as('ben').get('/activity')).data).toEqual([]);
  });

  it('has nothing about a row that no longer exists, nor about an earlier row with the same key', async () => {
    const id = await write({ id: 900, title: 'Old life', status: 'published' });
    expect(await shownLog('ada', id)).toHaveLength(1);
    await admin().delete(`/items/articles/${id}`);
    expect(await shownLog('ada', id)).toEqual([]);
    await write({ id: 900, title: 'New life', status: 'published' });
    expect(await shownLog('ada', id)).toEqual([
      expect.objectContaining({ action: 'create', after: { id: 900, title: 'New life' } }),
    ]);
    // Created again by SQL: the log knows only of the row that was deleted.
    await admin().delete(`/items/articles/${id}`);
    await world.app.database.query(
      `INSERT INTO articles (id, title, status) VALUES (900, 'By hand', 'published')`,
    );
    expect(await shownLog('ada', id)).toEqual([]);
    expect(await shownLog('admin', id)).toHaveLength(4);
  });

  it('cannot be queried for what it does not show', async () => {
    const id = await write({ title: 'Asked', status: 'published', secret: 'plugh' });
    const queries = ['before', 'after', 'fields', 'cut'].flatMap((field) => [
      `filter=${JSON.stringify({ [field]: { _nnull: true } })}`,
      `filter=${JSON.stringify({ _and: [{ _or: [{ [field]: { _null: true } }] }] })}`,
      `sort=${field}`,
      `groupBy=${field}&aggregate[count]=*`,
      `aggregate[count]=${field}`,
      `aggregate[countDistinct]=${field}`,
      `filter=${JSON.stringify({ [`count(${field})`]: { _gt: 0 } })}`,
      `fields=count(${field})`,
    ]);
    for (const query of queries) {
      const { status } = await world.as('ada').get(`/activity?${query}`);
      expect([query, [400, 403].includes(status)]).toEqual([query, true]);
    }
    const named = (field: string) =>
      world.as('ada').get(`/activity?filter=${JSON.stringify({ [field]: { _null: true } })}`);
    const text = (await named('before')).text;
    expect(text).toBe((await named('bogus')).text.replaceAll('bogus', 'before'));
    for (const term of ['plugh', 'secret']) {
      expect((await world.as('ada').get(`/activity?search=${term}`)).data).toEqual([]);
    }
    // An alias is the same cell.
    const aliased = await world
      .as('ada')
      .get(
        `/activity?alias[x]=after&fields=x&filter=${JSON.stringify({ item: { _eq: String(id) } })}`,
      );
    expect(aliased.data).toEqual([{ x: { title: 'Asked' } }]);
  });

  it('is read in one statement, whatever the entries are about', async () => {
    const { app } = world;
    const asked = jest.spyOn(app.database, 'table');
    await world.as('ada').get('/activity?limit=25&fields=*');
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });
});

describe('12: no one, whatever their rights,', () => {
  it('finds a secret in the log', async () => {
    const canary = 'canary-5f0c-Secret';
    const user = await admin().post('/users', { email: 'canary@example.com', password: canary });
    const path = `/users/${String(user.data['id'])}`;
    await admin().patch(path, { password: `${canary}-2`, title: 'Bird' });
    await admin().delete(path);
    const [{ text } = { text: '' }] = await world.app.database.query<{ text: string }>(
      `SELECT string_agg(to_jsonb(a)::text, ' ') AS text FROM service_activity a`,
    );
    expect(text).toContain('canary@example.com');
    expect(text).not.toContain(canary);
    expect(text).not.toContain('$2b$');
  });
});
