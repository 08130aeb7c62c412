import { SampleModule } from '../../sample-extension/sample.module';
import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [SampleModule] }));
});

afterAll(() => world.app.close());

interface Refused {
  readonly fields: string;
  readonly deep?: object;
  /** The field that the refusal names. */
  readonly names: string;
}

const rest = ({ fields, deep, names }: Refused) =>
  [`${fields} ${JSON.stringify(deep)}`, { fields, deep }, names] as const;
const notes = (asked: object, names: string): Refused => ({
  ...{ fields: 'notes.text', deep: { notes: asked } },
  names: `deep.notes.${names}`,
});
const below = (asked: object, names: string): Refused => ({
  ...{ fields: 'category.articles.title', deep: { category: { articles: asked } } },
  names: `deep.category.articles.${names}`,
});

describe('an error in the parameters of a relation', () => {
  it.each(
    [
      notes({ _limit: 'x' }, '_limit'),
      notes({ _page: 0 }, '_page'),
      notes({ _search: 1 }, '_search'),
      notes({ _sort: 'text.more' }, '_sort.text.more'),
      notes({ _filter: 'x' }, '_filter'),
      notes({ _filter: { text: { _is: 1 } } }, '_filter.text._is'),
      notes({ _drop: 1 }, '_drop'),
      notes({ article: 1 }, 'article'),
      notes({ _alias: { a: 1 } }, '_alias.a'),
      notes({ _alias: 1 }, '_alias'),
      below({ _limit: -3 }, '_limit'),
      below({ _drop: 1 }, '_drop'),
      below({ notes: { _limit: 1 } }, 'notes'),
      {
        ...{ fields: '*.*', deep: { notes: { _limit: -3 } } },
        names: 'deep.notes._limit',
      },
    ].map(rest),
  )('is named by its path in deep: %s', async (_, query, field) => {
    const reply = await world.as('admin').send('SEARCH', '/items/articles', { query });
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(reply.body).toMatchObject({ errors: [{ extensions: { field } }] });
  });

  it.each([
    ['{ articles { notes(limit: -3) { id } } }', 'notes.limit'],
    ['{ articles { few: notes(limit: -3) { id } } }', 'few.limit'],
    ['{ articles { notes(sort: ["text.more"]) { id } } }', 'notes.sort.text.more'],
    ['{ articles { notes(filter: {text: {_eq: null}}) { id } } }', 'notes.filter.text._eq'],
    ['{ articles { category { articles(page: 0) { id } } } }', 'category.articles.page'],
    ['{ articles(limit: -3) { notes(limit: 1) { id } } }', 'limit'],
    [
      '{ articles { category { articles { category { articles { category { up: articles { id } } } } } } } }',
      'fields.up',
    ],
  ])('is named by the argument in GraphQL: %s', async (document, field) => {
    const reply = await world.as('admin').graphql(document);
    expect(reply.body).toMatchObject({
      errors: [{ extensions: { field, code: 'INVALID_QUERY' } }],
    });
  });
});
