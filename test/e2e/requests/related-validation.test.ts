import { SampleModule } from '../../sample-extension/sample.module';
import { create, read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';

const OLD = 1;
const HIDDEN = 2;
const MISSING = 99;
const NEWS = { category: { name: { _eq: 'News' } } };
const HAS_NOTE = { notes: { _some: { text: { _eq: 'Checked' } } } };

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [SampleModule] }), {
    policies: {
      news: [
        read('categories', ['name'], { name: { _neq: 'Hidden' } }),
        create('articles', ['title', 'category'], {}, { validation: NEWS }),
      ],
      checked: [
        read('articles', ['id']),
        create('notes', ['text', 'article']),
        update('articles', ['title', 'notes'], {}, { validation: HAS_NOTE }),
      ],
    },
    users: { ann: { policies: ['news'] }, bob: { policies: ['checked'] } },
    rows: {
      categories: { old: { id: OLD, name: 'Old' }, hidden: { id: HIDDEN, name: 'Hidden' } },
      articles: { first: { id: 1, title: 'Rivers' } },
    },
  });
});

afterAll(() => world.app.close());

const refusal = (place: object, suffix: string): object => ({
  message: `Validation failed${suffix}.`,
  extensions: { code: 'FAILED_VALIDATION', ...place },
});

describe('A validation about a related row that is not met', () => {
  it.each([
    ['does not match', OLD],
    ['is hidden', HIDDEN],
    ['does not exist', MISSING],
  ])('names the field that leads to it, and nothing of the row: it %s', async (_, category) => {
    const ann = world.as('ann');
    const payload = { title: 'Hills', category };
    const faults = [refusal({ field: 'category' }, ' for field "category"')];
    expect((await ann.post('/items/articles', payload)).body).toEqual({ errors: faults });
    const mutation = `mutation { create_articles_item(data: {title: "Hills", category: ${category}}) { __typename } }`;
    expect((await ann.graphql(mutation)).body).toMatchObject({ errors: faults });
  });

  it('names the list that the payload changes', async () => {
    const body = { notes: { create: [{ text: 'Draft' }] } };
    const reply = await world.as('bob').patch('/items/articles/1', body);
    expect(reply.body).toEqual({ errors: [refusal({ field: 'notes' }, ' for field "notes"')] });
  });

  it.each([
    ['ann', 'POST', '/items/articles'],
    ['bob', 'PATCH', '/items/articles/1'],
  ])('names nothing that %s did not send', async (user, method, path) => {
    const reply = await world.as(user).send(method, path, { title: 'Hills' });
    expect(reply.body).toEqual({ errors: [refusal({}, '')] });
  });
});
