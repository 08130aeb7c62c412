import { recordStatements, type RecordedStatements, type Reply } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;
let recorded: RecordedStatements;

beforeAll(async () => {
  sample = await openSampleWorld();
  recorded = recordStatements(sample.app.database);
});

afterAll(() => sample.app.close());
beforeEach(() => void (recorded.statements.length = 0));
afterEach(() => sample.unchanged());

const FIELDS = ['first_name', 'last_name', 'title', 'description', 'location', 'language'];
const own = FIELDS.map((name) => `$CURRENT_USER.${name}`);
const roles = ['name', 'icon', 'description', 'parent.name', 'parent.icon'];
const PATHS = [...own, ...roles.map((name) => `$CURRENT_USER.role.${name}`)];

const search = (query: object): Promise<Reply> =>
  sample.as('admin').send('SEARCH', '/items/articles', { query });
const titled = (path: string | undefined): object => ({ title: { _eq: path } });

/** The number of statements that read the row where paths start. */
const readings = (): number =>
  recorded.statements.filter(({ text }) => text.includes('FROM "service_users"')).length;

describe('60: variables of a query', () => {
  it('are read once for each path, however often it is mentioned', async () => {
    const path = '$CURRENT_USER.role.parent.parent.name';
    const { status } = await search({
      filter: { title: { _in: Array(9_000).fill(path) } },
      fields: ['notes.id'],
      deep: { notes: { _filter: { text: { _in: [path, '$CURRENT_USER.first_name', path] } } } },
    });
    expect(status).toBe(200);
    expect(readings()).toBe(2);
  });

  it('are at most ten paths, counting both kinds and those for relations', async () => {
    const ten = await search({ filter: { _or: PATHS.slice(0, 10).map(titled) } });
    expect(ten.status).toBe(200);
    expect(readings()).toBe(10);
    recorded.statements.length = 0;
    for (const query of [
      { filter: { _or: PATHS.map(titled) } },
      { filter: { title: { _in: PATHS } } },
      { filter: { _or: PATHS.map(titled) }, aggregate: { count: '*' } },
      {
        filter: { title: { _in: PATHS.slice(0, 10) } },
        fields: ['notes.id'],
        deep: { notes: { _filter: { text: { _eq: '$CURRENT_ROLE.name' } } } },
      },
    ]) {
      const { status, codes, text } = await search(query);
      expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
      expect(text).toContain('at most 10');
    }
    expect(readings()).toBe(0);
  });

  it('are bounded over GraphQL and for the rows of a write too', async () => {
    const filter = { _or: PATHS.map(titled) };
    const graphql = await sample.graphql(
      'admin',
      'query ($filter: articles_filter) { articles(filter: $filter) { id } }',
      { filter },
    );
    const written = await sample
      .as('admin')
      .patch('/items/articles', { query: { filter }, data: { title: 'x' } });
    expect([graphql.codes, written.codes]).toEqual([['INVALID_QUERY'], ['INVALID_QUERY']]);
    expect(readings()).toBe(0);
  });
});
