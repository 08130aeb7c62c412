import { Collection, CollectionsModule, Field } from 'doorward';
import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('ledgers')
class Ledger {
  @Field.key('bigint', { generated: false }) id!: string;
  @Field.text() title!: string;
  @Field.toOne('ledgers', { nullable: true }) before!: string | null;
}

const EVEN = '9007199254740992';
const ODD = '9007199254740993';
/** What `JSON.parse` makes of both. */
const ROUNDED = 2 ** 53;

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Ledger])];
  world = await seed(await startTestApp({ imports, synchronize: true }), {});
  const rows = [EVEN, ODD].map((id) => ({ id, title: id }));
  expect((await world.as('admin').post('/items/ledgers', rows)).codes).toEqual([]);
});

afterAll(() => world.app.close());

const ask = (query: string, variables: object, path?: string) =>
  world.as('admin').graphql(query, variables, path);

const stored = async (): Promise<unknown> =>
  (await world.as('admin').get('/items/ledgers?fields=id,title,before')).data;

const BY_ID = 'query ($i: ID!) { ledgers_by_id(id: $i) { title } }';
const DELETE = 'mutation ($i: [ID]!) { delete_ledgers_items(ids: $i) { ids } }';

describe('a key beyond 2^53, sent as a number in a variable,', () => {
  it.each<[string, object, string?]>([
    [BY_ID, { i: ROUNDED }],
    [DELETE, { i: [1, ROUNDED] }],
    [DELETE, { i: ROUNDED }],
    ['mutation ($i: ID!) { delete_ledgers_item(id: $i) { id } }', { i: -ROUNDED }],
    [
      'mutation ($i: ID!) { update_ledgers_item(id: $i, data: {title: "x"}) { id } }',
      { i: ROUNDED },
    ],
    [
      'mutation ($i: [ID]) { update_ledgers_items(ids: $i, data: {title: "x"}) { id } }',
      { i: [ROUNDED] },
    ],
    [
      'mutation ($i: [update_ledgers_input!]) { update_ledgers_batch(data: $i) { id } }',
      { i: [{ id: ROUNDED, title: 'x' }] },
    ],
    [
      'mutation ($i: create_ledgers_input!) { create_ledgers_item(data: $i) { id } }',
      { i: { id: ROUNDED + 4, title: 'x' } },
    ],
    ['mutation ($i: ID!) { delete_users_item(id: $i) { id } }', { i: 1e21 }, '/graphql/system'],
    ['mutation ($i: ID!) { users_tfa_disable(id: $i) }', { i: 1e21 }, '/graphql/system'],
  ])('is refused: %s %j', async (query, variables, path = '/graphql') => {
    const before = await stored();
    const { status, codes, text } = await ask(query, variables, path);
    expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(text).toContain('the variable $i holds a key beyond 2^53 as a number');
    expect(await stored()).toEqual(before);
  });

  it.each<[string, object]>([
    [
      `mutation ($i: update_ledgers_input!) { update_ledgers_item(id: "${ODD}", data: $i) { id } }`,
      { i: { before: ROUNDED } },
    ],
    [
      'mutation ($i: Relation) { create_ledgers_item(data: {title: "x", before: $i}) { id } }',
      { i: { id: ROUNDED } },
    ],
    [
      'query ($i: ledgers_filter) { ledgers(filter: $i) { id } }',
      { i: { before: { id: { _eq: ROUNDED } } } },
    ],
  ])('is refused as a foreign key or operand: %s', async (query, variables) => {
    const before = await stored();
    expect((await ask(query, variables)).text).toContain('(beyond 2^53: as a string)');
    expect(await stored()).toEqual(before);
  });
});

it.each([
  [BY_ID, { i: ODD }],
  [BY_ID.replace('ID!', `ID! = ${ODD}`), {}],
  [`{ ledgers_by_id(id: ${ODD}) { title } }`, {}],
])('such a key is exact as a string, and in the document: %s %j', async (query, variables) => {
  expect((await ask(query, variables)).data).toEqual({ ledgers_by_id: { title: ODD } });
});

it('any other key may be a number', async () => {
  expect((await ask(BY_ID, { i: Number.MAX_SAFE_INTEGER })).codes).toEqual(['FORBIDDEN']);
});
