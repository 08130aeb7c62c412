import { type Newsroom, openNewsroom } from '../extension/newsroom';

let world: Newsroom;
beforeAll(async () => {
  world = await openNewsroom();
});
afterAll(() => world.app.close());

const INTERNALS =
  /Expected|cannot represent|coerc|GraphQLStringOrFloat|_filter_operators|auth_mode/;

const CODES = { 'Invalid query': 'INVALID_QUERY', 'Invalid payload': 'INVALID_PAYLOAD' };

/** Exactly one fault, with the place of the value as its field. */
const wrongType = (kind: keyof typeof CODES, field: string): object => ({
  errors: [
    {
      message: `${kind}: "${field}" has a value of the wrong type.`,
      extensions: { code: CODES[kind], field, reason: 'has a value of the wrong type' },
    },
  ],
});

describe('a value of the wrong type', () => {
  it.each<[string, string]>([
    ['{ articles(limit: "few") { id } }', 'limit'],
    ['{ articles(search: 5) { id } }', 'search'],
    ['{ articles(filter: {title: {_eq: true}}) { id } }', 'filter.title._eq'],
    ['{ articles(filter: {qty: {_gt: {a: 1}}}) { id } }', 'filter.qty._gt'],
    ['{ articles(filter: {_and: [{qty: {_in: [1, true]}}]}) { id } }', 'filter._and.0.qty._in.1'],
    ['{ articles(filter: {title: 5}) { id } }', 'filter.title'],
    ['{ articles(sort: ["id", 7]) { id } }', 'sort.1'],
    ['{ articles { notes(limit: 1.5) { id } } }', 'limit'],
    ['query ($n: Int = "few") { articles(limit: $n) { id } }', '$n'],
  ])('is reported with its path and nothing else: %s', async (query, field) => {
    const { status, body, text } = await world.as('admin').post('/graphql', { query });
    expect([status, body]).toMatchObject([400, wrongType('Invalid query', field)]);
    expect(text).not.toMatch(INTERNALS);
  });

  it('is reported so for an enumeration too', async () => {
    const query = 'mutation { auth_logout(mode: cooki) }';
    const { status, body, text } = await world.as(null).post('/graphql/system', { query });
    expect([status, body]).toMatchObject([400, wrongType('Invalid query', 'mode')]);
    expect(text).not.toMatch(INTERNALS);
  });

  it.each<[string, object, string]>([
    ['query ($n: Int) { articles(limit: $n) { id } }', { n: 'few' }, '$n'],
    [
      'query ($f: articles_filter) { articles(filter: $f) { id } }',
      { f: { _and: [{ qty: { _gt: true } }] } },
      'f._and.0.qty._gt',
    ],
  ])('in a variable is reported with its path: %s', async (query, variables, field) => {
    const { status, body, text } = await world.as('admin').post('/graphql', { query, variables });
    expect([status, body]).toMatchObject([400, wrongType('Invalid payload', field)]);
    expect(text).not.toMatch(INTERNALS);
  });
});

describe('a variable that must be given', () => {
  const CREATE =
    'mutation ($data: create_articles_input!) { create_articles_item(data: $data) { id } }';

  it.each<[string, object, string]>([
    ['left out', {}, 'is missing'],
    ['null', { data: null }, 'must not be null'],
  ])('is named when it is %s', async (_, variables, reason) => {
    const { status, body } = await world.as('admin').post('/graphql', { query: CREATE, variables });
    const extensions = { code: 'INVALID_PAYLOAD', field: '$data', reason };
    expect([status, body]).toMatchObject([400, { errors: [{ extensions }] }]);
  });
});

describe('a document of too many tokens', () => {
  it('is refused by its bound, in words that tell what to do', async () => {
    const query = `{ articles(filter: {id: {_in: [${Array.from({ length: 1600 }, (_, at) => at).join()}]}}) { id } }`;
    const { status, body } = await world.as('admin').post('/graphql', { query });
    const reason =
      'the document must hold at most 1500 words, values and signs (send values as variables)';
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ message: `Invalid query: ${reason}.`, extensions: { code: 'INVALID_QUERY' } }] },
    ]);
  });
});

describe('a field that does not exist', () => {
  const CREATE =
    'mutation ($data: create_articles_input!) { create_articles_item(data: $data) { id } }';
  const MANY =
    'mutation ($data: [create_articles_input!]) { create_articles_items(data: $data) { id } }';
  const LIST = 'query ($filter: articles_filter) { articles(filter: $filter) { id } }';

  it.each<[string, object, string, string]>([
    [CREATE, { data: { title: 'x', colour: 'red' } }, 'colour', '$data'],
    [CREATE, { data: { titel: 'x' } }, 'titel', '$data'],
    [MANY, { data: [{ title: 'x' }, { title: 'y', 'a b': 1 }] }, 'a b', 'data[1]'],
    [LIST, { filter: { _and: [{ colour: { _eq: 'red; blue' } }] } }, 'colour', 'filter._and[0]'],
    [LIST, { filter: { title: { _equals: 'x' } } }, '_equals', 'filter.title'],
  ])('in a variable is named: %s %j', async (query, variables, field, place) => {
    const { status, body } = await world.as('admin').post('/graphql', { query, variables });
    expect([status, body]).toMatchObject([
      400,
      {
        errors: [
          {
            message: `Invalid payload: "${field}" is no field of the variable ${place}.`,
            extensions: { code: 'INVALID_PAYLOAD', field },
          },
        ],
      },
    ]);
  });

  it('with a name that is too long is refused without repeating it', async () => {
    const name = 'n'.repeat(100_000);
    const { status, codes, text } = await world
      .as('admin')
      .post('/graphql', { query: CREATE, variables: { data: { [name]: 1 } } });
    expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(text.length).toBeLessThan(1_000);
  });
});

describe('a document that does not fit the schema', () => {
  it.each<[string, string, string]>([
    ['{ articles_by_id { id } }', 'id', 'is a required argument of articles_by_id'],
    ['{ articles(limits: 1) { id } }', 'limits', 'is no argument of Query.articles'],
    ['{ articles { colour } }', 'colour', 'is no field of articles'],
    ['{ paintings { id } }', 'paintings', 'is no field of Query'],
    [
      '{ articles(filter: {colour: {_eq: "red"}}) { id } }',
      'colour',
      'is no field of articles_filter',
    ],
    ['{ articles { category } }', 'category', 'has no selection of fields of categories'],
    ['{ articles { title { size } } }', 'title', 'has a selection of fields, but is a String'],
  ])('is refused with the name that is wrong: %s', async (query, field, reason) => {
    const { status, body } = await world.as('admin').post('/graphql', { query });
    const message: unknown = expect.stringContaining(`Invalid query: "${field}" ${reason}`);
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ message, extensions: { code: 'INVALID_QUERY', field } }] },
    ]);
  });
});
