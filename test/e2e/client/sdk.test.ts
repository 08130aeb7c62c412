import {
  aggregate,
  createItem,
  createItems,
  deleteItem,
  deleteItems,
  readCollection,
  readCollections,
  readField,
  readFields,
  readFieldsByCollection,
  readItem,
  readItems,
  readRelation,
  readRelationByCollection,
  readRelations,
  readSingleton,
  updateItem,
  updateItems,
  updateItemsBatch,
  updateSingleton,
  withSearch,
} from '@directus/sdk';
import { type ArticlesClient, clientFor, type Note } from './articles-client';
import { SampleModule } from '../../sample-extension/sample.module';
import { signIn, startTestApp, TEST_ADMIN, type TestApp } from '../../support';

/** The published client, unchanged, with the sample extension; it gets only the address and a token. */

let app: TestApp;
let client: ArticlesClient;

beforeAll(async () => {
  app = await startTestApp({ imports: [SampleModule] });
  client = clientFor(app.url, (await signIn(app, TEST_ADMIN)).access_token);
});

afterAll(() => app.close());

const refusal = async (asked: Promise<unknown>): Promise<unknown> => {
  const failure: unknown = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  return (failure as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code;
};

describe('The client creates', () => {
  it('one item, with related items', async () => {
    const data = {
      title: 'Rivers',
      status: 'published',
      qty: 3,
      price: '12.50',
      published_at: '2024-02-29T12:00:00Z',
      category: { name: 'Europe', parent: { name: 'World' } },
      tags: [{ name: 'red' }, { name: 'blue' }],
      notes: [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }],
    };
    const made = await client.request(
      createItem('articles', data as object, { fields: ['id', 'title', { category: ['name'] }] }),
    );
    expect(made).toEqual({ id: 1, title: 'Rivers', category: { name: 'Europe' } });
  });

  it('several items', async () => {
    const data = [
      { title: 'Hills', qty: 5, status: 'published' },
      { title: 'Dales', qty: -1 },
      { title: 'Woods', qty: 5 },
    ];
    const made = await client.request(createItems('articles', data, { fields: ['id'] }));
    expect(made).toEqual([{ id: 2 }, { id: 3 }, { id: 4 }]);
  });

  it('nothing if the service refuses', async () => {
    expect(await refusal(client.request(createItem('articles', {})))).toBe('FAILED_VALIDATION');
    const nowhere = client.request(createItem('nowhere' as 'articles', { title: 'x' }));
    expect(await refusal(nowhere)).toBe('FORBIDDEN');
  });
});

describe('The client reads', () => {
  it('items, with fields of relations', async () => {
    const items = await client.request(
      readItems('articles', {
        fields: ['title', { category: ['name', { parent: ['name'] }], tags: ['name'] }],
        filter: { title: { _eq: 'Rivers' } },
        deep: { tags: { _sort: ['name'] } },
      }),
    );
    const category = { name: 'Europe', parent: { name: 'World' } };
    expect(items).toEqual([
      { title: 'Rivers', category, tags: [{ name: 'blue' }, { name: 'red' }] },
    ]);
  });

  it('lists limited, sorted and filtered by `deep`', async () => {
    const deep = {
      notes: { _filter: { text: { _starts_with: 'T' } }, _sort: ['-text'], _limit: 1 },
    };
    const items = await client.request(
      readItems('articles', {
        fields: ['id', { notes: ['text'] }],
        filter: { notes: { text: { _eq: 'One' } } },
        deep: deep as object,
      }),
    );
    expect(items).toEqual([{ id: 1, notes: [{ text: 'Two' }] }]);
  });

  it('pages, sorted and filtered', async () => {
    const query = {
      fields: ['id' as const],
      sort: ['-qty' as const, 'title' as const],
      filter: { _or: [{ qty: { _gt: 0 } }, { title: { _contains: 'ale' } }] },
    };
    const ids = async (page: object) =>
      (await client.request(readItems('articles', { ...query, ...page }))).map(({ id }) => id);
    expect(await ids({ limit: 2 })).toEqual([2, 4]);
    expect(await ids({ limit: 2, page: 2 })).toEqual([1, 3]);
    expect(await ids({ limit: -1, offset: 3 })).toEqual([3]);
  });

  it('by alias, search and function', async () => {
    const aliased = await client.request(
      readItems('articles', {
        fields: ['id', 'heading'] as never,
        alias: { heading: 'title' },
        search: 'HILL',
      }),
    );
    expect(aliased).toEqual([{ id: 2, heading: 'Hills' }]);
    const dated = client.request(
      readItems('articles', {
        fields: ['id'],
        filter: { 'year(published_at)': { _eq: 2024 } } as object,
      }),
    );
    expect(await dated).toEqual([{ id: 1 }]);
  });

  it('one item, and nothing if it does not exist', async () => {
    expect(await client.request(readItem('articles', 3, { fields: ['title'] }))).toEqual({
      title: 'Dales',
    });
    expect(await refusal(client.request(readItem('articles', 4711)))).toBe('FORBIDDEN');
  });

  it('by SEARCH', async () => {
    const query = { fields: ['id' as const], filter: { qty: { _in: [5, -1] } }, limit: 2 };
    const found = await client.request(withSearch(readItems('articles', query)));
    expect(found).toEqual([{ id: 2 }, { id: 3 }]);
  });

  it('aggregates and groups', async () => {
    const total = await client.request(
      aggregate('articles', { aggregate: { count: '*', sum: ['qty'], max: ['qty'] } as object }),
    );
    expect(total).toEqual([{ count: 4, sum: { qty: '12' }, max: { qty: 5 } }]);
    const grouped = {
      aggregate: { count: '*' as const },
      groupBy: ['status' as const],
      query: { sort: ['status' as const] },
    };
    const groups = [
      { status: 'draft', count: 2 },
      { status: 'published', count: 2 },
    ];
    expect(await client.request(aggregate('articles', grouped))).toEqual(groups);
    expect(await client.request(withSearch(aggregate('articles', grouped)))).toEqual(groups);
  });

  it('the collections, fields and relations', async () => {
    const collections = await client.request(readCollections());
    expect(collections.map(({ collection }) => collection)).toContain('articles');
    expect(await client.request(readCollection('site'))).toMatchObject({ collection: 'site' });
    const fields = await client.request(readFieldsByCollection('tags'));
    expect(fields.map(({ field }) => field)).toEqual(['id', 'name']);
    expect(await client.request(readField('articles', 'qty'))).toMatchObject({ type: 'integer' });
    expect(await client.request(readFields())).toEqual(expect.arrayContaining(fields));
    const relation = await client.request(readRelation('notes', 'article'));
    expect(relation).toMatchObject({
      related_collection: 'articles',
      meta: { one_field: 'notes' },
    });
    const ofNotes = await client.request(readRelationByCollection('notes'));
    expect(ofNotes).toEqual(expect.arrayContaining([relation]));
    expect(await client.request(readRelations())).toEqual(expect.arrayContaining([relation]));
  });

  it('by GraphQL', async () => {
    const query = `query ($status: String!, $since: String!, $id: ID!) {
      articles(filter: {status: {_in: [$status]}, date_created: {_gt: $since}, owner: {_neq: $id}}, sort: ["title"]) { title tags(sort: ["name"]) { name } }
      articles_by_id(id: 3) { title }
      articles_aggregated { count { id } }
    }`;
    const found = await client.query(query, {
      status: 'published',
      since: '2020-01-01T00:00:00Z',
      id: '00000000-0000-4000-8000-000000000000',
    });
    expect(found).toEqual({
      articles: [
        { title: 'Hills', tags: [] },
        { title: 'Rivers', tags: [{ name: 'blue' }, { name: 'red' }] },
      ],
      articles_by_id: { title: 'Dales' },
      articles_aggregated: [{ count: { id: 4 } }],
    });
  });
});

describe('The client updates', () => {
  it('one item', async () => {
    const changed = client.request(
      updateItem('articles', 3, { qty: 7 }, { fields: ['id', 'qty'] }),
    );
    expect(await changed).toEqual({ id: 3, qty: 7 });
  });

  it('several with the same values, by keys and by a query', async () => {
    const byKeys = client.request(
      updateItems('articles', [2, 4], { qty: 8 }, { fields: ['id', 'qty'] }),
    );
    expect(await byKeys).toEqual([
      { id: 2, qty: 8 },
      { id: 4, qty: 8 },
    ]);
    const byQuery = client.request(
      updateItems(
        'articles',
        { filter: { qty: { _eq: 8 } } },
        { status: 'archived' },
        { fields: ['id', 'status'] },
      ),
    );
    expect(await byQuery).toEqual([
      { id: 2, status: 'archived' },
      { id: 4, status: 'archived' },
    ]);
  });

  it('several, each with its own values', async () => {
    const batch = client.request(
      updateItemsBatch(
        'articles',
        [
          { id: 2, title: 'Hills 2' },
          { id: 3, title: 'Dales 2' },
        ],
        { fields: ['title'] },
      ),
    );
    expect(await batch).toEqual([{ title: 'Hills 2' }, { title: 'Dales 2' }]);
  });

  it('the related items of an item', async () => {
    const path = { fields: [{ notes: ['text'] }] as never };
    const { notes } = await client.request(
      readItem('articles', 1, { fields: [{ notes: ['id', 'text'] }] }),
    );
    const [first] = (notes ?? []).filter(({ text }) => text === 'One');
    const change = { create: [{ text: 'Four' }], update: [], delete: [first?.id] };
    const left = await client.request(updateItem('articles', 1, { notes: change } as object, path));
    expect((left as unknown as { notes: Note[] }).notes.map(({ text }) => text).toSorted()).toEqual(
      ['Four', 'Three', 'Two'],
    );
  });

  it('the one row of a singleton', async () => {
    const site = { name: 'Our site', tagline: 'News' };
    await client.request(updateSingleton('site', { tagline: 'News' }));
    expect(await client.request(readSingleton('site', { fields: ['name', 'tagline'] }))).toEqual(
      site,
    );
  });
});

describe('The client deletes', () => {
  const left = async () => {
    const items = await client.request(readItems('articles', { fields: ['id'] }));
    return items.map(({ id }) => id);
  };

  it('one item', async () => {
    await client.request(deleteItem('articles', 1));
    expect(await left()).toEqual([2, 3, 4]);
  });

  it('several, by keys and by a query', async () => {
    await client.request(deleteItems('articles', [2]));
    expect(await left()).toEqual([3, 4]);
    await client.request(deleteItems('articles', { filter: { qty: { _eq: 8 } } }));
    expect(await left()).toEqual([3]);
  });
});
