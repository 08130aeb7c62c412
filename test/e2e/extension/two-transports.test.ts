import { restStatus, withTextKeys } from '../../support';
import { type Newsroom, openNewsroom } from './newsroom';

let world: Newsroom;

beforeAll(async () => {
  world = await openNewsroom();
});

afterAll(() => world.app.close());

interface Reading {
  readonly it: string;
  readonly fields: string;
  /** Parameters of REST. */
  readonly query?: object;
  /** The same as GraphQL's arguments. */
  readonly args?: string;
  /** The selection, if it differs from the fields. */
  readonly selection?: string;
  readonly collection?: string;
}

const every =
  'id title body status qty price rating featured published_at metadata secret date_created';

const readings: Reading[] = [
  { it: 'every column', fields: every },
  { it: 'sorted', fields: 'id title', query: { sort: '-title' }, args: '(sort: ["-title"])' },
  {
    it: 'a page',
    fields: 'id',
    query: { limit: 2, page: 2 },
    args: '(limit: 2, page: 2)',
  },
  { it: 'an offset', fields: 'id', query: { offset: 3 }, args: '(offset: 3)' },
  { it: 'a search', fields: 'id', query: { search: 'RIV' }, args: '(search: "RIV")' },
  {
    it: 'a text filter',
    fields: 'id',
    query: { filter: { title: { _icontains: 'r' } } },
    args: '(filter: {title: {_icontains: "r"}})',
  },
  {
    it: 'number filters',
    fields: 'id qty',
    query: { filter: { qty: { _gt: 2 }, price: { _gte: '12.5' } } },
    args: '(filter: {qty: {_gt: 2}, price: {_gte: "12.5"}})',
  },
  {
    it: 'a filter on an enum and a boolean',
    fields: 'id',
    query: { filter: { _or: [{ status: { _in: ['draft'] } }, { featured: { _eq: true } }] } },
    args: '(filter: {_or: [{status: {_in: ["draft"]}}, {featured: {_eq: true}}]})',
  },
  {
    it: 'a filter on a time, and on its year',
    fields: 'id',
    query: {
      filter: { published_at: { _lte: '$NOW' }, 'year(published_at)': { _eq: 2024 } },
    },
    args: '(filter: {published_at: {_lte: "$NOW"}, published_at_func: {year: {_eq: 2024}}})',
  },
  {
    it: 'a filter on a key and through a relation',
    fields: 'id',
    query: { filter: { category: { _nnull: true, parent: { name: { _eq: 'World' } } } } },
    args: '(filter: {category: {_nnull: true, parent: {name: {_eq: "World"}}}})',
  },
  {
    it: 'a filter on a user',
    fields: 'id',
    query: { filter: { owner: { first_name: { _eq: 'Ann' } } } },
    args: '(filter: {owner: {first_name: {_eq: "Ann"}}})',
  },
  {
    it: 'filters on lists',
    fields: 'id',
    query: {
      filter: { tags: { _some: { name: { _eq: 'red' } } }, 'count(tags)': { _eq: 2 } },
    },
    args: '(filter: {tags: {_some: {name: {_eq: "red"}}}, tags_func: {count: {_eq: 2}}})',
  },
  {
    it: 'a list without a matching item',
    fields: 'id',
    query: { filter: { tags: { _none: { name: { _eq: 'red' } } } } },
    args: '(filter: {tags: {_none: {name: {_eq: "red"}}}})',
  },
  {
    it: 'relations',
    fields: 'id category.name category.parent.name owner.first_name tags.name',
    selection: 'id category { name parent { name } } owner { first_name } tags { name }',
  },
  {
    it: 'a list with its own arguments',
    fields: 'id tags.name',
    query: { deep: { tags: { _sort: '-name', _limit: 1 } } },
    selection: 'id tags(sort: ["-name"], limit: 1) { name }',
  },
  {
    it: 'another collection',
    fields: 'id name articles.title',
    selection: 'id name articles { title }',
    collection: 'categories',
  },
  {
    it: 'the notes of articles, and their authors',
    fields: 'text author.first_name article.title',
    selection: 'text author { first_name } article { title }',
    collection: 'notes',
  },
];

describe.each(['admin', 'ann', 'bob', 'eve', null])('As %s, REST and GraphQL agree on', (name) => {
  it.each(readings)('$it', async (reading) => {
    const { fields, query = {}, args = '', selection = fields } = reading;
    const { collection = 'articles' } = reading;
    const rest = await world.as(name).send('SEARCH', `/items/${collection}`, {
      query: { fields: fields.split(' '), ...query },
    });
    const asked = { query: `{ ${collection}${args} { ${selection} } }` };
    const graphql = await world.as(name).post('/graphql', asked);
    if (rest.status === 200)
      expect(graphql.body).toEqual({ data: { [collection]: withTextKeys(rest.data) } });
    else expect([restStatus(graphql), graphql.codes]).toEqual([rest.status, rest.codes]);
    if (name === 'admin') expect(rest.data).not.toEqual([]);
    if (name === null || name === 'eve') expect(rest.codes).toEqual(['FORBIDDEN']);
  });

  it.each([1, 2, 3, 4, 5])('the article %d alone', async (id) => {
    const rest = await world.as(name).get(`/items/articles/${id}?fields=id,title`);
    const query = `{ articles_by_id(id: ${id}) { id title } }`;
    const graphql = await world.as(name).post('/graphql', { query });
    if (rest.status === 200)
      expect(graphql.data).toEqual({ articles_by_id: withTextKeys(rest.data) });
    else expect([restStatus(graphql), graphql.codes]).toEqual([rest.status, rest.codes]);
  });

  it('the site', async () => {
    const rest = await world.as(name).get('/items/site?fields=name');
    const graphql = await world.as(name).post('/graphql', { query: '{ site { name } }' });
    if (rest.status === 200) expect(graphql.data).toEqual({ site: rest.data });
    else expect([restStatus(graphql), graphql.codes]).toEqual([rest.status, rest.codes]);
  });
});

describe('Filters are typed', () => {
  it.each([
    '(filter: {qty: {_contains: "1"}})',
    '(filter: {featured: {_eq: "yes"}})',
    '(filter: {title: {_eq: 3}})',
    '(filter: {colour: {_eq: "red"}})',
    '(filter: {tags: {_every: {name: {_eq: "red"}}}})',
    '(filter: {published_at_func: {count: {_eq: 1}}})',
    '(filter: {category: {_contains: "1"}})',
    '(limit: "many")',
  ])('articles%s is refused', async (args) => {
    const query = `{ articles${args} { id } }`;
    const reply = await world.as('admin').post('/graphql', { query });
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
  });
});

describe('Types have the names of their collections', () => {
  const typeOf = async (name: string) => {
    const query = `{ __type(name: "${name}") { kind fields { name } inputFields { name } } }`;
    return (await world.as('admin').post('/graphql', { query })).data['__type'];
  };

  it('those of the team and of the service', async () => {
    expect(await typeOf('articles')).toMatchObject({ kind: 'OBJECT' });
    expect(await typeOf('service_users')).toMatchObject({ kind: 'OBJECT' });
    expect(await typeOf('articles_filter')).toMatchObject({ kind: 'INPUT_OBJECT' });
    expect(await typeOf('create_articles_input')).toMatchObject({ kind: 'INPUT_OBJECT' });
    expect(await typeOf('users')).toBeNull();
    expect(await typeOf('articles_tags')).toBeNull();
  });

  it('and the system schema has none of the team’s types', async () => {
    const query = '{ __type(name: "articles") { kind } }';
    const reply = await world.as('admin').post('/graphql/system', { query });
    expect(reply.data).toEqual({ __type: null });
  });
});
