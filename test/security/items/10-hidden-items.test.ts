import { json, seenOf } from '../compare';
import { type Ask, type ComparedWorld, openComparedWorld } from './compared-world';

let sample: ComparedWorld;

beforeAll(async () => {
  sample = await openComparedWorld();
});

afterAll(() => sample.app.close());

const nan = () => sample.as('nan');

const MISSING = '00000000-0000-4000-8000-000000000000';

const BY_ID = 'query ($id: ID!) { articles_by_id(id: $id) { id } }';
const UPDATE = `mutation ($id: ID!) { update_articles_item(id: $id, data: {title: "X"}) { id } }`;
const BATCH = `mutation ($id: ID) {
  update_articles_batch(data: [{id: 6, title: "X"}, {id: $id, title: "X"}]) { id }
}`;
const DELETE = 'mutation ($id: ID!) { delete_articles_items(ids: [6, $id]) { ids } }';

describe('10: a hidden item and a missing one', () => {
  it.each<[string, Ask]>([
    ['to read', (id) => nan().get(`/items/articles/${id}`)],
    ['to read with counts', (id) => nan().get(`/items/articles/${id}?meta=*&fields=title`)],
    ['to change', (id) => nan().patch(`/items/articles/${id}`, { title: 'X' })],
    ['to change nothing of', (id) => nan().patch(`/items/articles/${id}`, {})],
    ['to change badly', (id) => nan().patch(`/items/articles/${id}`, { title: null })],
    ['to change lists of', (id) => nan().patch(`/items/articles/${id}`, { tags: [], notes: [] })],
    [
      'to change, among others',
      (id) => nan().patch('/items/articles', { keys: [6, Number(id)], data: { title: 'X' } }),
    ],
    ['to change, each', (id) => nan().patch('/items/articles', [{ id: 6, title: 'X' }, { id }])],
    ['to delete', (id) => nan().delete(`/items/articles/${id}`)],
    ['to delete, among others', (id) => nan().delete('/items/articles', [6, Number(id)])],
    ['to publish', (id) => nan().post(`/articles/${id}/publish`, {})],
    ['over GraphQL', (id) => sample.graphql('nan', BY_ID, { id })],
    ['to change over GraphQL', (id) => sample.graphql('nan', UPDATE, { id })],
    ['to change each over GraphQL', (id) => sample.graphql('nan', BATCH, { id })],
    ['to delete over GraphQL', (id) => sample.graphql('nan', DELETE, { id })],
  ])('are the same %s', async (_, ask) => {
    for (const hidden of ['1', '3']) await sample.expectTwins(ask, hidden, '999');
  });

  it.each(['nonsense', '1.5', '-1', '99999999999', '%00', "1'--", '1%2f2'])(
    'are the same as %s, which is not an id',
    async (id) => {
      const [hidden, other] = [
        await nan().get('/items/articles/1'),
        await nan().get(`/items/articles/${id}`),
      ];
      expect(seenOf(hidden, '')).toEqual(seenOf(other, ''));
    },
  );

  it('are the same in a report', async () => {
    const report = (id: string) => nan().get(`/permissions/me/articles/${id}`);
    expect((await report('1')).status).toBe(200);
    await sample.expectAlike(report, '1', '999');
  });

  const change = (data: object) => nan().patch('/items/articles/6', data);
  const own = (data: object) => nan().patch(sample.fill('/items/notes/<own>'), data);

  /** Each with a hidden id, a missing id and the code of the refusal. */
  const NESTED: readonly (readonly [string, Ask, string, string, string])[] = [
    ['a category', (id) => change({ category: Number(id) }), '3', '999', 'INVALID_FOREIGN_KEY'],
    ['an article', (id) => own({ article: Number(id) }), '1', '999', 'INVALID_FOREIGN_KEY'],
    ['an owner', (id) => change({ owner: id }), '<amy>', MISSING, 'INVALID_FOREIGN_KEY'],
    [
      'a category to change',
      (id) => change({ category: { id: Number(id), name: 'X' } }),
      '3',
      '999',
      'INVALID_FOREIGN_KEY',
    ],
    [
      'an article to change',
      (id) => own({ article: { id: Number(id), title: 'X' } }),
      '1',
      '999',
      'INVALID_FOREIGN_KEY',
    ],
    ['a tag to link', (id) => change({ tags: [id] }), '<hush>', MISSING, 'INVALID_FOREIGN_KEY'],
    [
      'a tag to change',
      (id) => change({ tags: [{ id, name: 'X' }] }),
      '<hush>',
      MISSING,
      'FORBIDDEN',
    ],
    ['a tag to unlink', (id) => change({ tags: { delete: [id] } }), '<hush>', MISSING, 'FORBIDDEN'],
    [
      'a note to link',
      (id) => change({ notes: [id] }),
      '<whispered>',
      MISSING,
      'INVALID_FOREIGN_KEY',
    ],
    [
      'a note to move',
      (id) => change({ notes: { update: [{ id, text: 'X' }] } }),
      '<whispered>',
      MISSING,
      'INVALID_FOREIGN_KEY',
    ],
    [
      'a note to delete',
      (id) => change({ notes: { delete: [id] } }),
      '<whispered>',
      MISSING,
      'FORBIDDEN',
    ],
    [
      'a category, of a new item',
      (id) => nan().post('/items/articles', { title: 'X', category: Number(id) }),
      '3',
      '999',
      'INVALID_FOREIGN_KEY',
    ],
    [
      'a tag, of a new item',
      (id) => nan().post('/items/articles', { title: 'X', tags: [id] }),
      '<hush>',
      MISSING,
      'INVALID_FOREIGN_KEY',
    ],
    [
      'a note, of a new item',
      (id) => nan().post('/items/articles', { title: 'X', notes: [id] }),
      '<whispered>',
      MISSING,
      'INVALID_FOREIGN_KEY',
    ],
    [
      'an article, of a new note',
      (id) => nan().post('/items/notes', { text: 'X', article: Number(id) }),
      '1',
      '999',
      'INVALID_FOREIGN_KEY',
    ],
  ];

  it.each(NESTED)('are the same %s in a write', async (_, ask, hidden, missing, code) => {
    await sample.expectTwins(ask, sample.fill(hidden), missing, code);
  });

  it('are the same in a list that is replaced: hidden rows stay linked', async () => {
    expect((await change({ tags: [], notes: [sample.id('own')] })).status).toBe(200);
    const [left] = await sample.app.database.query(
      `SELECT (SELECT count(*)::int4 FROM articles_tags WHERE articles_id = 6) AS tags,
              (SELECT count(*)::int4 FROM notes WHERE article = 6) AS notes`,
    );
    expect(left).toEqual({ tags: 1, notes: 2 });
    expect((await change({ tags: [sample.tags.red] })).status).toBe(200);
  });

  it('are the same to filter by', async () => {
    for (const field of ['id', 'category', 'owner']) {
      const ask = (id: string) =>
        nan().get(`/items/articles?meta=*&filter=${json({ [field]: { _in: [id] } })}`);
      const [hidden, missing] = field === 'owner' ? [sample.fill('<amy>'), MISSING] : ['3', '999'];
      const [one, other] = [await ask(hidden), await ask(missing)];
      expect([one.status, one.text]).toEqual([200, other.text]);
    }
  });
});
