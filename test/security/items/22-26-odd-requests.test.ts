import type { World } from '../../factories';
import { openNestedWorld } from './nested-world';

let desk: World;

beforeAll(async () => {
  desk = await openNestedWorld();
});

afterAll(() => desk.app.close());

type Request = readonly [method: string, path: string, body?: unknown];

const data = { title: 'X' };
const where = { filter: { id: { _eq: 4 } } };
const ITEMS = '/items/articles';

/** Pia may write the article 4, and not the article 2. */
const TWO_IDS: readonly (readonly [string, Request, string])[] = [
  ['keys in addition to the path', ['PATCH', `${ITEMS}/4`, { keys: [2], data }], 'FORBIDDEN'],
  ['an id in addition to keys', ['PATCH', ITEMS, { keys: [4], id: 2, data }], 'INVALID_PAYLOAD'],
  ['ids in addition to keys', ['PATCH', ITEMS, { keys: [2], id: [4], data }], 'FORBIDDEN'],
  [
    'keys in addition to a query',
    ['PATCH', ITEMS, { keys: [4], query: where, data }],
    'INVALID_PAYLOAD',
  ],
  [
    'a value in addition to keys',
    ['PATCH', ITEMS, { keys: [4], title: 'X', data }],
    'INVALID_PAYLOAD',
  ],
  ['neither keys nor a query', ['PATCH', ITEMS, { data }], 'INVALID_PAYLOAD'],
  ['an id instead of keys', ['PATCH', ITEMS, { id: 4, ...data }], 'INVALID_PAYLOAD'],
  ['one key instead of keys', ['PATCH', ITEMS, { keys: 4, data }], 'INVALID_PAYLOAD'],
  ['nested keys', ['PATCH', ITEMS, { keys: [[4]], data }], 'INVALID_PAYLOAD'],
  ['an object as a key', ['PATCH', ITEMS, { keys: [{ id: 4 }], data }], 'INVALID_PAYLOAD'],
  ['a list for one item', ['PATCH', `${ITEMS}/4`, [{ id: 2, ...data }]], 'INVALID_PAYLOAD'],
  ['an id in the query string', ['PATCH', `${ITEMS}/4?id=2`, data], 'INVALID_QUERY'],
  ['keys in the query string', ['PATCH', `${ITEMS}/4?keys=2`, data], 'INVALID_QUERY'],
  ['two ids in the path', ['PATCH', `${ITEMS}/4,2`, data], 'FORBIDDEN'],
  ['an id with SQL', ['PATCH', `${ITEMS}/4%20OR%20id=2`, data], 'FORBIDDEN'],
  ['another’s id, her own in the body', ['DELETE', `${ITEMS}/2`, { keys: [4] }], 'FORBIDDEN'],
  ['a delete by keys and query', ['DELETE', ITEMS, { keys: [4], query: where }], 'INVALID_PAYLOAD'],
  ['a delete by keys and id', ['DELETE', ITEMS, { keys: [4], id: 2 }], 'INVALID_PAYLOAD'],
  ['a delete of objects', ['DELETE', ITEMS, [{ id: 4 }]], 'INVALID_PAYLOAD'],
  ['a delete without keys', ['DELETE', ITEMS, {}], 'INVALID_PAYLOAD'],
];

/** Eve may do nothing; claiming to be someone else has no effect. */
const CLAIMS: readonly (readonly [string, object])[] = [
  ['who she is', { user: '<pia>' }],
  ['who is accountable', { accountability: { user: '<pia>', admin: true } }],
  ['a user of the context', { context: { user: '<pia>' }, caller: { administrator: true } }],
];

const HEADERS: readonly string[] = [
  'X-User-Id',
  'X-User',
  'X-Forwarded-User',
  'X-Remote-User',
  'Remote-User',
  'From',
];

const update = 'mutation { update_articles_item(id: 4, data: {title: "X"}) { id } }';

async function expectRefused(caller: string | null, request: Request, code: string): Promise<void> {
  const [method, path, body] = desk.fill(request);
  const reply = await desk.as(caller).send(method, path, body);
  expect([reply.codes, reply.data]).toEqual([[code], {}]);
  expect(await desk.state()).toEqual(desk.start);
}

describe('22: refused, and nothing is changed by', () => {
  it.each(TWO_IDS)('%s', (_, request, code) => expectRefused('pia', request, code));
});

describe('22: the id of the path decides', () => {
  it('if the body of a delete names another', async () => {
    const reply = await desk.as('dora').delete(`${ITEMS}/3`, { keys: [1] });
    expect([reply.status, reply.codes]).toEqual([204, []]);
    const left = await desk.as('admin').get(`${ITEMS}?fields=id`);
    expect(left.data).toEqual([1, 2, 4, 5, 6, 7].map((id) => ({ id })));
    await desk.restore();
  });
});

describe('26: no one becomes Pia by', () => {
  it.each(CLAIMS)('naming %s along with the keys', async (_, claim) => {
    for (const caller of ['pia', 'eve', null]) {
      const code = caller === 'pia' ? 'INVALID_PAYLOAD' : 'FORBIDDEN';
      await expectRefused(caller, ['PATCH', ITEMS, { keys: [4], data, ...claim }], code);
    }
  });

  it.each(CLAIMS)('naming %s along with a GraphQL query', async (_, claim) => {
    for (const [more, code] of [
      [claim, 'INVALID_PAYLOAD'],
      [{ variables: claim }, 'FORBIDDEN'],
      [{ extensions: claim }, 'FORBIDDEN'],
    ] as const) {
      for (const caller of ['eve', null]) {
        const request = desk.fill({ query: update, ...more });
        const reply = await desk.as(caller).post('/graphql', request);
        expect(reply.codes).toEqual([code]);
      }
    }
    expect(await desk.state()).toEqual(desk.start);
  });

  it('an argument of GraphQL', async () => {
    const asked = update.replace('(id: 4,', `(id: 4, user: "${desk.id('pia')}",`);
    await expectRefused('eve', ['POST', '/graphql', { query: asked }], 'INVALID_QUERY');
  });

  it.each(['user', 'accountability', 'who', 'access_token'])(
    'the parameter %s',
    async (parameter) => {
      const path = `${ITEMS}/4?${parameter}=<pia>`;
      await expectRefused('eve', ['PATCH', path, data], 'FORBIDDEN');
      await expectRefused('pia', ['PATCH', path, data], 'INVALID_QUERY');
    },
  );

  it('a header', async () => {
    for (const header of HEADERS) {
      const headers = { [header]: String(desk.id('pia')) };
      for (const caller of ['eve', null]) {
        const reply = await desk.as(caller).send('PATCH', `${ITEMS}/4`, data, headers);
        expect(reply.codes).toEqual(['FORBIDDEN']);
      }
    }
    expect(await desk.state()).toEqual(desk.start);
  });
});
