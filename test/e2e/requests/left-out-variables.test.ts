import { type Newsroom, openNewsroom } from '../extension/newsroom';

/** A variable that is left out is treated as missing, below a relation or in JSON. */

let world: Newsroom;
beforeAll(async () => {
  world = await openNewsroom();
});
afterAll(() => world.app.close());

const ask = (name: string, query: string, variables: object = {}) =>
  world.as(name).post('/graphql', { query, variables });

it('an item that is updated within another keeps the fields of missing variables', async () => {
  const query = `mutation ($name: Relation, $parent: Relation) {
    update_articles_item(id: 1, data: {category: {id: 2, name: $name, parent: $parent}}) { category { name parent { id } } } }`;
  const reply = await ask('admin', query, { name: 'Europa' });
  expect(reply.codes).toEqual([]);
  // As the same document does one level higher.
  expect(reply.data).toEqual({
    update_articles_item: { category: { name: 'Europa', parent: { id: '1' } } },
  });
});

it('an item that is created within another gets presets for fields of missing variables', async () => {
  const query = `mutation ($author: Relation) {
    update_articles_item(id: 1, data: {}) { id }
    create_articles_item(data: {title: "New", notes: [{text: "x", author: $author}]}) { notes { author { first_name } } } }`;
  const reply = await ask('ann', query);
  expect([reply.codes, reply.data]).toMatchObject([
    [],
    { create_articles_item: { notes: [{ author: { first_name: 'Ann' } }] } },
  ]);
});

it('fields that are missing in a variable are kept in the same way', async () => {
  const query = `mutation ($data: update_articles_input!) { update_articles_item(id: 1, data: $data) { category { name parent { id } } } }`;
  await world.as('admin').patch('/items/categories/2', { parent: 1 });
  const reply = await ask('admin', query, { data: { category: { id: 2, name: 'E' } } });
  expect(reply.data).toEqual({
    update_articles_item: { category: { name: 'E', parent: { id: '1' } } },
  });
});

it('JSON omits it, and has null for it in a list', async () => {
  const query =
    'mutation ($u: JSON) { create_articles_item(data: {title: "J", metadata: {a: $u, b: [$u]}}) { metadata } }';
  const reply = await ask('admin', query);
  expect(reply.codes).toEqual([]);
  expect(reply.data).toEqual({ create_articles_item: { metadata: { b: [null] } } });
});
