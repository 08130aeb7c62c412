import { SampleModule } from '../../sample-extension/sample.module';
import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';

let world: World;

beforeAll(async () => {
  const app = await startTestApp({ imports: [SampleModule], env: { QUERY_DEPTH_MAX: '2' } });
  world = await seed(app);
});

afterAll(() => world.app.close());

describe('QUERY_DEPTH_MAX=2', () => {
  it.each<[string, string, number]>([
    ['category.parent.name', '{ articles { category { parent { name } } } }', 200],
    ['*.*.*', '{ articles { tags { id } } }', 200],
    [
      'category.parent.parent.name',
      '{ articles { category { parent { parent { name } } } } }',
      400,
    ],
    ['notes.article.notes.id', '{ articles { notes { article { notes { id } } } } }', 400],
    ['*.*.*.*', '{ articles { category { articles { category { id } } } } }', 400],
  ])('%s', async (path, query, status) => {
    const rest = await world.as('admin').get(`/items/articles?fields=${path}`);
    expect([rest.status, rest.codes]).toEqual([status, status === 200 ? [] : ['INVALID_QUERY']]);
    const graphql = await world.as('admin').post('/graphql', { query });
    expect(graphql.codes).toEqual(rest.codes);
  });
});
