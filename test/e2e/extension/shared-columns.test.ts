import { type SeedData, create, read, update, type World } from '../../factories';
import { openShops } from './shops';

const SEEN = { shop_id: { _lt: 19 } };
const SEED: SeedData = {
  policies: {
    clerks: [
      read('shops', ['*']),
      ...['shop_notes', 'orders'].map((name) => read(name, ['*'])),
      ...[create, update].flatMap((write) => [
        write('shop_notes', ['*']),
        write('orders', ['*'], SEEN, { validation: { shop: { name: { _neq: 'Shop 18' } } } }),
      ]),
    ],
  },
  users: { ann: { policies: ['clerks'] } },
};

let world: World;

beforeAll(async () => {
  world = await openShops(SEED);
});

afterAll(() => world.app.close());

/** Each caller uses other shops. */
describe.each([
  ['admin', 0],
  ['ann', 5],
])('Two fields of one column, written by %s', (who, first) => {
  const as = () => world.as(who);
  const makeOrder = async (): Promise<string> => {
    const made = await as().post('/items/orders', { shop: 1 });
    return `/items/orders/${made.data['id'] as number}`;
  };

  it.each([
    ['the key', { id: first + 1 }],
    ['the relation', { shop: first + 2 }],
    ['both', { id: first + 3, shop: first + 3 }],
  ])('are set if one of them is the key: by %s', async (_, sent) => {
    const [id] = Object.values(sent);
    const made = await as().post('/items/shop_notes', { ...sent, note: 'x' });
    expect([made.status, made.data]).toEqual([200, { id, shop: id, note: 'x' }]);
    const changed = await as().patch(`/items/shop_notes/${id}`, { ...sent, note: 'y' });
    expect([changed.status, changed.data]).toEqual([200, { id, shop: id, note: 'y' }]);
  });

  it('do not change if one of them is the key', async () => {
    await as().post('/items/shop_notes', { id: first + 4 });
    const reply = await as().patch(`/items/shop_notes/${first + 4}`, { shop: 17 });
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect((await as().get(`/items/shop_notes/${first + 4}`)).data).toMatchObject({
      shop: first + 4,
    });
  });

  it.each([
    ['the column', { shop_id: 2 }],
    ['the relation', { shop: 2 }],
    ['both', { shop: 2, shop_id: 2 }],
  ])('are set by %s', async (_, sent) => {
    const made = await as().post('/items/orders', sent);
    expect([made.status, made.data]).toMatchObject([200, { shop: 2, shop_id: 2 }]);
    const changed = await as().patch(await makeOrder(), sent);
    expect([changed.status, changed.data]).toMatchObject([200, { shop: 2, shop_id: 2 }]);
    const many = await as().post('/items/orders', [sent, sent, sent, sent, sent]);
    expect(many.data).toMatchObject(Array.from({ length: 5 }, () => ({ shop: 2, shop_id: 2 })));
  });

  it.each([
    ['two keys', { shop: 1, shop_id: 2 }],
    ['a key and an item', { shop_id: 1, shop: { id: 2 } }],
  ])('are refused with different values: %s', async (_, sent) => {
    const order = await makeOrder();
    for (const reply of [await as().post('/items/orders', sent), await as().patch(order, sent)]) {
      expect([reply.status, new Set(reply.codes)]).toEqual([400, new Set(['INVALID_PAYLOAD'])]);
      expect(reply.text).toContain('"field":"shop');
    }
  });

  it('are reported as one field if the database refuses the row', async () => {
    await as().post('/items/orders', { shop: 1, note: `taken by ${who}` });
    const note = `taken by ${who}`;
    const order = await makeOrder();
    for (const [sent, code] of [
      [{ note, shop: 2 }, 'RECORD_NOT_UNIQUE'],
      [{ note, shop: 19 }, who === 'admin' ? 'RECORD_NOT_UNIQUE' : 'FORBIDDEN'],
      [{ note, shop_id: 18 }, who === 'admin' ? 'RECORD_NOT_UNIQUE' : 'FAILED_VALIDATION'],
    ] as const) {
      expect((await as().post('/items/orders', sent)).codes).toEqual([code]);
    }
    expect((await as().patch(order, { note, shop: 18 })).codes).toEqual([
      who === 'admin' ? 'RECORD_NOT_UNIQUE' : 'FAILED_VALIDATION',
    ]);
  });
});
