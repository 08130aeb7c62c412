import { type SeedData, create, read, remove, type RuleSeed, update } from '../../factories';
import { json } from '../compare';
import { openSampleWorld, type SampleWorld } from './sample-world';

const NAME = '$CURRENT_USER.last_name';
const ROLE = '$CURRENT_ROLE';

/** The users with these rules have no role, no last name and no tags; a clause with such a variable is false. */
const OPERATORS: Readonly<Record<string, unknown>> = {
  ...{ _eq: NAME, _neq: NAME, _lt: NAME, _lte: NAME, _gt: NAME, _gte: NAME },
  ...{ _in: [NAME], _nin: [NAME], _between: ['a', NAME], _nbetween: [NAME, 'b'] },
  ...{ _contains: NAME, _ncontains: NAME, _icontains: NAME, _nicontains: NAME },
  ...{ _starts_with: NAME, _nstarts_with: NAME, _istarts_with: NAME, _nistarts_with: NAME },
  ...{ _ends_with: NAME, _nends_with: NAME, _iends_with: NAME, _niends_with: NAME },
};
const operators = Object.entries(OPERATORS).map(([name, value]) => ({ [name]: value }));

const OTHERS: readonly object[] = [
  { id: { _in: [] } },
  { owner: { id: { _in: [] } } },
  { tags: { name: { _in: [] } } },
  { _or: [] },
  { title: { _nin: ['x', NAME] } },
  { title: { _nin: '$CURRENT_USER.tags' } },
  // A list with a value in addition to the missing one.
  { title: { _in: ['Rivers', NAME] } },
  // A value that the column cannot hold counts as missing.
  { status: { _neq: '$CURRENT_USER.first_name' } },
  ...[ROLE, `${ROLE}.parent`].flatMap((role) => [
    { owner: { _eq: role } },
    { owner: { _neq: role } },
    { owner: { _in: [role] } },
    { owner: { _nin: [role] } },
    { owner: { id: { _neq: role } } },
  ]),
  { owner: { _in: '$CURRENT_ROLES' } },
  { owner: { _nin: '$CURRENT_ROLES' } },
  { owner: { role: { _neq: '$CURRENT_USER.role' } } },
  { notes: { author: { _neq: ROLE } } },
  { notes: { _none: { author: { _eq: ROLE } } } },
  { notes: { _none: { author: { _nin: '$CURRENT_ROLES' } } } },
  { tags: { _none: { name: { _in: '$CURRENT_USER.tags' } } } },
  { category: { articles: { _none: { owner: { _eq: ROLE } } } } },
  { notes: { _none: { _or: [{ text: { _eq: 'nonsense' } }, { text: { _eq: NAME } }] } } },
  { notes: { _none: { _and: [{ text: { _eq: 'nonsense' } }, { text: { _eq: NAME } }] } } },
  { notes: { _none: { article: { notes: { _none: { text: { _neq: NAME } } } } } } },
  { notes: { _none: { article: { tags: { _some: { name: { _neq: NAME } } } } } } },
  { tags: { _none: {} }, _and: [{ tags: { _none: { name: { _ncontains: NAME } } } }] },
];

const FILTERS: readonly object[] = [
  ...operators.map((operator) => ({ title: operator })),
  ...operators.map((operator) => ({ owner: { first_name: operator } })),
  ...operators.map((operator) => ({ notes: { text: operator } })),
  ...operators.map((operator) => ({ notes: { _none: { text: operator } } })),
  ...OTHERS,
];

const RULES: readonly RuleSeed[] = [
  read('articles', ['*']),
  update('articles', ['title', 'qty']),
  remove('articles'),
  create('articles', ['title']),
];

const SEED: SeedData = {
  policies: {
    valueless: RULES,
    around: [
      read('notes', ['*']),
      read('categories', ['*']),
      read('tags', ['*']),
      read('service_users', ['first_name', 'last_name', 'tags', 'role']),
      read('service_roles', ['parent']),
    ],
    presetting: [create('notes', ['text', 'article'], {}, { presets: { author: ROLE } })],
  },
  users: {
    val: { policies: ['valueless', 'around', 'presetting'], first_name: 'Val' },
  },
};

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld(SEED);
});

afterAll(() => sample.app.close());
afterEach(() => sample.unchanged());

const val = () => sample.as('val');
const rules = (): unknown[] => RULES.map((_, index) => sample.id(`valueless#${index + 1}`));

/** Sets this filter as the row filter of every rule of the policy. */
async function rowsAre(permissions: object): Promise<void> {
  const reply = await sample
    .as('admin')
    .patch('/permissions', { keys: rules(), data: { permissions } });
  if (reply.status !== 200) throw new Error(`${JSON.stringify(permissions)}: ${reply.text}`);
}

const NOTHING = { data: [], meta: { total_count: 0, filter_count: 0 } };

describe('8: a rule whose variable has no value', () => {
  it('grants rows for another condition', async () => {
    await rowsAre({ _or: [{ title: { _eq: NAME } }, { status: { _eq: 'published' } }] });
    const reply = await val().get('/items/articles?fields=id');
    expect(reply.data).toEqual([{ id: 1 }, { id: 2 }, { id: 4 }]);
  });

  it.each(FILTERS.map((filter) => [JSON.stringify(filter), filter] as const))(
    'grants nothing: %s',
    async (_, filter) => {
      await rowsAre(filter);
      expect((await val().get('/items/articles?meta=*')).body).toEqual(NOTHING);
      expect((await val().get('/items/articles?aggregate[count]=*')).data).toEqual([{ count: 0 }]);
      const seen = await sample.graphql(
        'val',
        '{ articles { id } articles_aggregated { countAll } notes { article { id } } }',
      );
      expect(seen.data).toEqual({
        articles: [],
        articles_aggregated: [{ countAll: 0 }],
        notes: sample.notes.map(() => ({ article: null })),
      });
      for (const reply of [
        await val().get('/items/articles/1'),
        await val().patch('/items/articles/1', { title: 'X' }),
        await val().delete('/items/articles/1'),
        await val().post('/items/articles', { title: 'X' }),
        await sample.graphql('val', 'mutation { delete_articles_item(id: "1") { id } }'),
      ]) {
        expect([reply.status, reply.codes]).toEqual([403, ['FORBIDDEN']]);
      }
      await sample.unchanged();
    },
  );

  it('is refused if it has an empty list that would always be true', async () => {
    for (const permissions of [
      { title: { _nin: [] } },
      { notes: { _none: { text: { _nin: [] } } } },
      { _or: [{ owner: { first_name: { _nin: [] } } }] },
    ]) {
      const reply = await sample
        .as('admin')
        .patch('/permissions', { keys: rules(), data: { permissions } });
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    }
  });
});

describe('8: a validation whose variable has no value', () => {
  it.each(operators.map((operator) => [JSON.stringify(operator), operator] as const))(
    'is never met: %s',
    async (_, operator) => {
      await rowsAre({});
      const validate = (validation: object) =>
        sample
          .as('admin')
          .patch('/permissions', { keys: rules().slice(1, 4), data: { validation } });
      expect((await validate({ title: operator })).status).toBe(200);
      for (const reply of [
        await val().patch('/items/articles/1', { title: 'X' }),
        await val().patch('/items/articles/1', { qty: 5 }),
        await val().post('/items/articles', { title: 'X' }),
      ]) {
        expect([reply.status, reply.codes]).toEqual([400, ['FAILED_VALIDATION']]);
      }
      expect((await validate({})).status).toBe(200);
    },
  );
});

it('8: a preset whose variable has no value is NULL', async () => {
  await rowsAre({});
  const made = await val().post('/items/notes?fields=id,author', { text: 'x', article: 1 });
  expect(made.data).toMatchObject({ author: null });
  await sample.as('admin').delete(`/items/notes/${String(made.data['id'])}`);
});

describe('8: a query whose variable has no value', () => {
  it.each(FILTERS.map((filter) => [JSON.stringify(filter), filter] as const))(
    'finds nothing: %s',
    async (_, filter) => {
      await rowsAre({});
      const { body } = await val().get(`/items/articles?limit=5&meta=*&filter=${json(filter)}`);
      expect(body).toEqual({ data: [], meta: { total_count: 5, filter_count: 0 } });
      const groups = await val().get(
        `/items/articles?aggregate[count]=*&groupBy=id&filter=${json(filter)}`,
      );
      expect(groups.data).toEqual([]);
      const query = '($f: articles_filter) { articles(filter: $f) { id } }';
      const asked = await sample.graphql('val', `query ${query}`, { f: filter });
      expect([asked.status, asked.data]).toEqual([200, { articles: [] }]);
      const writes = await val().delete('/items/articles', { query: { filter } });
      expect(writes.status).toBe(204);
    },
  );
});
