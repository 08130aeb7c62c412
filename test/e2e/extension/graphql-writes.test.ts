import { asRestReply, type Reply } from '../../support';
import { type Newsroom, openNewsroom } from './newsroom';

let world: Newsroom;

beforeAll(async () => {
  world = await openNewsroom();
});

afterAll(() => world.app.close());

const ask = async (name: string | null, query: string, variables: object = {}): Promise<Reply> =>
  asRestReply(await world.as(name).post('/graphql', { query, variables }));

/** What the administrator reads afterwards, over REST. */
const stored = async (path: string): Promise<unknown> => {
  const { data, codes } = await world.as('admin').get(`/items/${path}`);
  return codes[0] ?? data;
};

describe('Through GraphQL an article', () => {
  let id: string;

  it('is created, with presets and related items', async () => {
    const query = `mutation ($data: create_articles_input!) {
      create_articles_item(data: $data) { id title owner { first_name } tags { name } notes { text } }
    }`;
    const data = {
      title: 'New',
      tags: [world.tags[0]],
      notes: { create: [{ text: 'First' }] },
      price: '1.10',
    };
    const reply = await ask('ann', query, { data });
    const made = reply.data['create_articles_item'] as { id: string };
    expect(made).toMatchObject({
      title: 'New',
      owner: { first_name: 'Ann' },
      tags: [{ name: 'red' }],
      notes: [{ text: 'First' }],
    });
    id = made.id;
    expect(await stored(`articles/${id}?fields=status,price,notes.author`)).toEqual({
      status: 'draft',
      price: '1.10',
      notes: [{ author: world.id('ann') }],
    });
  });

  it('is updated', async () => {
    const query = `mutation { update_articles_item(id: ${id}, data: {title: "Newer"}) { title } }`;
    expect((await ask('ann', query)).data).toEqual({ update_articles_item: { title: 'Newer' } });
    expect(await stored(`articles/${id}?fields=title`)).toEqual({ title: 'Newer' });
  });

  it('is not changed by callers without the right to', async () => {
    for (const name of ['bob', 'eve', null]) {
      const query = `mutation { update_articles_item(id: ${id}, data: {title: "Taken"}) { id } }`;
      const reply = await ask(name, query);
      expect([reply.status, reply.codes]).toEqual([403, ['FORBIDDEN']]);
    }
    expect(await stored(`articles/${id}?fields=title`)).toEqual({ title: 'Newer' });
  });

  it('is deleted', async () => {
    const reply = await ask('ann', `mutation { delete_articles_item(id: ${id}) { id } }`);
    expect(reply.data).toEqual({ delete_articles_item: { id: String(id) } });
    expect(await stored(`articles/${id}`)).toBe('FORBIDDEN');
  });
});

describe('Through GraphQL many articles', () => {
  let ids: string[];

  it('are created', async () => {
    const query =
      'mutation { create_articles_items(data: [{title: "A"}, {title: "B"}]) { id title } }';
    const made = (await ask('ann', query)).data['create_articles_items'] as { id: string }[];
    expect(made).toMatchObject([{ title: 'A' }, { title: 'B' }]);
    ids = made.map(({ id }) => id);
  });

  it('are updated with the same values, or each with its own', async () => {
    const [one, two] = ids;
    const alike = `mutation ($id: [ID!]!) { update_articles_items(id: $id, data: {body: "Same"}) { body } }`;
    expect((await ask('ann', alike, { id: ids })).data).toEqual({
      update_articles_items: [{ body: 'Same' }, { body: 'Same' }],
    });
    const each = `mutation ($data: [update_articles_input!]) { update_articles_batch(data: $data) { title } }`;
    const data = [
      { id: Number(two), title: 'B2' },
      { id: Number(one), title: 'A2' },
    ];
    expect((await ask('ann', each, { data })).data).toEqual({
      update_articles_batch: [{ title: 'B2' }, { title: 'A2' }],
    });
  });

  it('are all refused if one is', async () => {
    const query = `mutation ($id: [ID!]!) { update_articles_items(id: $id, data: {title: "X"}) { id } }`;
    const reply = await ask('ann', query, { id: [...ids, 3] });
    expect(reply.codes).toEqual(['FORBIDDEN']);
    expect(await stored(`articles/${ids[0]}?fields=title`)).toEqual({ title: 'A2' });
  });

  it('are deleted', async () => {
    const query = 'mutation ($ids: [ID!]!) { delete_articles_items(ids: $ids) { ids } }';
    const reply = await ask('ann', query, { ids });
    expect(reply.data).toEqual({ delete_articles_items: { ids: ids.map(String) } });
    expect(await stored(`articles/${ids[0]}`)).toBe('FORBIDDEN');
  });
});

describe('Errors are the same as with REST:', () => {
  const faulty: [string, object][] = [
    ['a field that must not be missing', { body: 'No title' }],
    ['a text that is too long', { title: 'x'.repeat(256) }],
    ['a value that is not among the choices', { title: 'x', status: 'lost' }],
    ['a relation to an item that does not exist', { title: 'x', category: 4711 }],
    ['an invalid related item', { title: 'x', notes: [{ text: 'x', author: 'nobody' }] }],
    ['too many digits', { title: 'x', price: '123456789.00' }],
    ['two faults', { title: 'x'.repeat(256), price: 'dear' }],
  ];

  it.each(faulty)('%s', async (_, data) => {
    const rest = await world.as('admin').post('/items/articles', data);
    const query =
      'mutation ($data: create_articles_input!) { create_articles_item(data: $data) { id } }';
    const graphql = await ask('admin', query, { data });
    const faults = (body: unknown): unknown[] =>
      (body as { errors: { message: string; extensions: object }[] }).errors.map(
        ({ message, extensions }) => ({ message, extensions }),
      );
    expect(rest.status).toBe(400);
    expect(graphql.status).toBe(rest.status);
    expect(faults(graphql.body)).toEqual(faults(rest.body));
  });
});

describe('Through GraphQL the site', () => {
  it('is read and updated without a key', async () => {
    const query = 'mutation { update_site(data: {tagline: "News"}) { name tagline } }';
    const site = { name: 'Our site', tagline: 'News' };
    expect((await ask('admin', query)).data).toEqual({ update_site: site });
    expect(await stored('site?fields=name,tagline')).toEqual(site);
    expect((await ask('bob', query)).codes).toEqual(['FORBIDDEN']);
    expect((await ask('bob', '{ site { name tagline } }')).codes).toEqual(['FORBIDDEN']);
  });
});
