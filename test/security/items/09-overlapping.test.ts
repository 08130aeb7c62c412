import { type SeedData, read, type RuleSeed, update } from '../../factories';
import { withTextKeys } from '../../support';
import { json } from '../compare';
import { openSampleWorld, type SampleWorld } from './sample-world';

const published = { status: { _eq: 'published' } };
const filed = { category: { _nnull: true } };
const ofAmy = { owner: { first_name: { _eq: 'Amy' } } };

/** Each policy grants some fields of some rows; together they grant no cell that no single rule grants. */
const POLICIES: Readonly<Record<string, readonly RuleSeed[]>> = {
  'published titles': [
    read('articles', ['title', 'owner'], published),
    update('articles', ['title'], published),
    update('articles', ['qty'], published, { validation: { qty: { _lt: 10 } } }),
  ],
  'filed prices': [
    read('articles', ['price', 'notes'], filed),
    update('articles', ['price'], filed),
    update('articles', ['qty'], filed, { validation: { qty: { _gte: 10 } } }),
  ],
  'secrets of Amy': [read('articles', ['secret'], ofAmy)],
  'notes of Amy': [read('notes', ['text'], { author: { first_name: { _eq: 'Amy' } } })],
  'notes on what is published': [
    read('notes', ['article', 'author'], { article: published }),
    update('notes', ['article'], {}),
  ],
  'first names': [read('service_users', ['first_name'], { first_name: { _neq: 'Pia' } })],
  titles: [read('service_users', ['title'], { title: { _eq: 'Captain' } })],
};

const SEED: SeedData = {
  policies: POLICIES,
  users: { ola: { policies: Object.keys(POLICIES), first_name: 'Ola' } },
};

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld(SEED);
});

afterAll(() => sample.app.close());
afterEach(() => sample.restore());

const get = async (query: string): Promise<unknown> => {
  const reply = await sample.as('ola').get(sample.fill(`/items/${query}`));
  expect([reply.status, reply.codes]).toEqual([200, []]);
  return reply.data;
};
const ids = async (query: string): Promise<unknown[]> =>
  ((await get(`articles?fields=id&${query}`)) as { id: number }[]).map(({ id }) => id);

const MATA = { first_name: 'Mata', title: null };
const AMY = { first_name: 'Amy', title: 'Captain' };
const ROWS = [
  {
    ...{ id: 1, title: 'Rivers', price: '1.00', secret: null, owner: MATA },
    notes: [
      { text: 'Whispered', author: AMY },
      { text: null, author: MATA },
    ],
  },
  {
    ...{ id: 2, title: 'Hills', price: '7.77', secret: 'xyzzy', owner: AMY },
    notes: [{ text: 'Elsewhere', author: AMY }],
  },
  { id: 3, title: null, price: '9.99', secret: 'frobozz', owner: null, notes: [] },
  // Pia is hidden, and so are the notes on articles that are not filed.
  { id: 4, title: 'Seas', price: null, secret: null, owner: null, notes: null },
  { id: 5, title: null, price: null, secret: null, owner: null, notes: [] },
];

describe('9: overlapping rules: the fields of each row are decided by the rules that it matches', () => {
  it('in rows, and in nested rows', async () => {
    const people = 'owner.first_name,owner.title,notes.author.first_name,notes.author.title';
    const fields = `id,title,price,secret,notes.text,${people}`;
    expect(await get(`articles?fields=${fields}&deep[notes][_sort]=text`)).toEqual(ROWS);
    const { data } = await sample.graphql(
      'ola',
      `{ articles {
        id title price secret owner { first_name title }
        notes(sort: ["text"]) { text author { first_name title } }
      } }`,
    );
    expect(data).toEqual({ articles: withTextKeys(ROWS) });
  });

  it('in one row, under other names, and in keys', async () => {
    const aliases = 'fields=x,y,owner&alias[x]=title&alias[y]=price';
    expect(await get(`articles/3?${aliases}`)).toEqual({ x: null, y: '9.99', owner: null });
    expect(await get(`articles/4?${aliases}`)).toEqual(
      sample.fill({ x: 'Seas', y: null, owner: '<pia>' }),
    );
    const { data } = await sample.graphql(
      'ola',
      '{ articles_by_id(id: "3") { x: title y: price z: owner { first_name } } }',
    );
    expect(data).toEqual({ articles_by_id: { x: null, y: '9.99', z: null } });
  });

  it('behind a relation, from either side', async () => {
    expect(
      await get('notes?fields=text,article.title,article.price,article.secret&sort=article,text'),
    ).toEqual([
      { text: 'Whispered', article: { title: 'Rivers', price: '1.00', secret: null } },
      { text: null, article: { title: 'Rivers', price: '1.00', secret: null } },
      { text: 'Elsewhere', article: { title: 'Hills', price: '7.77', secret: 'xyzzy' } },
      { text: 'Answered', article: { title: 'Seas', price: null, secret: null } },
      { text: null, article: { title: 'Seas', price: null, secret: null } },
    ]);
  });

  it.each<[string, object, number[]]>([
    ['a title that is shown', { title: { _eq: 'Seas' } }, [4]],
    ['a title that is masked', { title: { _eq: 'Drafted' } }, []],
    ['another title', { title: { _neq: 'Seas' } }, [1, 2, 3, 5]],
    ['no title', { title: { _null: true } }, [3, 5]],
    ['a price that is masked', { price: { _eq: '3.00' } }, []],
    ['no price', { price: { _null: true } }, [4, 5]],
    ['cells of two rules in one row', { title: { _nnull: true }, price: { _nnull: true } }, [1, 2]],
    ['an owner who is shown', { owner: { first_name: { _eq: 'Amy' } } }, [2]],
    ['an owner who is hidden', { owner: { first_name: { _nempty: true } } }, [1, 2]],
    ['a note of a list that is shown', { notes: { text: { _eq: 'Whispered' } } }, [1]],
    ['a note of a list that is masked', { notes: { text: { _eq: 'Answered' } } }, []],
    ['_none of a list', { notes: { _none: { text: { _nnull: true } } } }, [3, 4, 5]],
    ['the size of a list', { 'count(notes)': { _gte: 1 } }, [1, 2]],
  ])('in a filter by %s', async (_, filter, found) => {
    expect(await ids(`filter=${json(filter)}`)).toEqual(found);
    expect(await get(`articles?aggregate[count]=*&filter=${json(filter)}`)).toEqual([
      { count: found.length },
    ]);
  });

  it.each<[string, number[]]>([
    ['sort=title', [2, 1, 4, 3, 5]],
    ['sort=-secret', [1, 4, 5, 2, 3]],
    ['sort=-price,-id', [5, 4, 3, 2, 1]],
    ['sort=owner.first_name', [2, 1, 3, 4, 5]],
    ['search=Drafted', []],
    ['search=frobozz', [3]],
    ['search=mine', []],
    ['search=seas', [4]],
  ])('in %s', async (query, found) => {
    expect(await ids(query)).toEqual(found);
  });

  it('in aggregates and groups', async () => {
    const query = [
      'aggregate[count]=title,price,secret,owner',
      'aggregate[sum]=price',
      'aggregate[min]=title,secret',
      'aggregate[max]=title,price',
      'aggregate[countDistinct]=owner',
    ].join('&');
    expect(await get(`articles?${query}`)).toEqual([
      {
        count: { title: 3, price: 3, secret: 2, owner: 3 },
        sum: { price: '18.76' },
        min: { title: 'Hills', secret: 'frobozz' },
        max: { title: 'Seas', price: '9.99' },
        countDistinct: { owner: 3 },
      },
    ]);
    expect(await get('articles?aggregate[count]=*&groupBy=owner&sort=-count')).toContainEqual({
      owner: null,
      count: 2,
    });
    const { data } = await sample.graphql(
      'ola',
      `{ articles_aggregated { countAll count { title secret } sum { price } max { title } }
         grouped: articles_aggregated(groupBy: ["secret"]) { group countAll } }`,
    );
    expect(data).toEqual({
      articles_aggregated: [
        {
          ...{ countAll: 5, count: { title: 3, secret: 2 } },
          ...{ sum: { price: '18.76' }, max: { title: 'Seas' } },
        },
      ],
      grouped: [
        { group: { secret: 'frobozz' }, countAll: 1 },
        { group: { secret: 'xyzzy' }, countAll: 1 },
        { group: { secret: null }, countAll: 3 },
      ],
    });
  });
});

describe('9: a write is judged on each row by the rules that it matches', () => {
  const set = (id: number, data: object) => sample.as('ola').patch(`/items/articles/${id}`, data);
  const many = (keys: number[], data: object) =>
    sample.as('ola').patch('/items/articles', { keys, data });

  it.each<[string, () => ReturnType<typeof set>, string]>([
    ['a title of an unpublished row', () => set(3, { title: 'X' }), 'FORBIDDEN'],
    ['a price of a row that is not filed', () => set(4, { price: '5' }), 'FORBIDDEN'],
    [
      'both, of a row that is only one of them',
      () => set(4, { title: 'X', price: '5' }),
      'FORBIDDEN',
    ],
    ['titles of several, one unpublished', () => many([1, 2, 3], { title: 'X' }), 'FORBIDDEN'],
    ['a value against the validation of its rule', () => set(4, { qty: 50 }), 'FAILED_VALIDATION'],
    [
      'a value against the validation of the other rule',
      () => set(3, { qty: 5 }),
      'FAILED_VALIDATION',
    ],
    [
      'one value for rows of both rules, against one validation',
      () => many([1, 3], { qty: 5 }),
      'FAILED_VALIDATION',
    ],
    [
      'a price through a note',
      () =>
        sample
          .as('ola')
          .patch(sample.fill('/items/notes/<answered>'), { article: { id: 4, price: '5' } }),
      'FORBIDDEN',
    ],
    [
      'a title over GraphQL',
      () =>
        sample.graphql(
          'ola',
          'mutation { update_articles_item(id: "3", data: {title: "X"}) { id } }',
        ),
      'FORBIDDEN',
    ],
    [
      'a batch over GraphQL',
      () =>
        sample.graphql(
          'ola',
          'mutation { update_articles_batch(data: [{id: 1, title: "X"}, {id: 4, price: "5"}]) { id } }',
        ),
      'FORBIDDEN',
    ],
  ])('%s is refused', async (_, write, code) => {
    const reply = await write();
    expect(reply.codes).toEqual([code]);
    expect(Object.values(reply.data ?? {}).filter((value) => value !== null)).toEqual([]);
    await sample.unchanged();
  });

  it('what a matching rule allows is carried out', async () => {
    expect((await set(1, { title: 'X', price: '5', qty: 50 })).status).toBe(200);
    expect((await set(4, { title: 'X', qty: 5 })).status).toBe(200);
    expect((await many([1, 3], { price: '6' })).status).toBe(200);
    expect(
      await sample.app.database.query('SELECT id, title, price, qty FROM articles ORDER BY id'),
    ).toEqual([
      { id: 1, title: 'X', price: '6.00', qty: 50 },
      { id: 2, title: 'Hills', price: '7.77', qty: 7 },
      { id: 3, title: 'Drafted', price: '6.00', qty: null },
      { id: 4, title: 'X', price: '3.00', qty: 5 },
      { id: 5, title: 'Sketch', price: null, qty: null },
    ]);
  });
});
