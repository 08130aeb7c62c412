import { openShops } from '../../e2e/extension/shops';
import { type SeedData, create, read, remove, update, type World } from '../../factories';

const SEED: SeedData = {
  policies: {
    clerks: [
      read('shops', ['*'], { id: { _lt: 10 } }),
      update('shops', ['*'], { id: { _lt: 10 } }),
      ...['orders', 'lines', 'shop_notes'].map((name) => read(name, ['*'])),
      create('lines', ['*']),
      create('shop_notes', ['*']),
      update('shop_notes', ['*']),
      create('orders', ['*'], { shop: { name: { _neq: 'Shop 19' } } }),
      update('orders', ['*']),
      remove('orders'),
    ],
  },
  users: { ann: { policies: ['clerks'] } },
};

let world: World;

beforeAll(async () => {
  world = await openShops(SEED);
  await world.app.database.query('UPDATE shops SET deleted_at = now() WHERE id = 9');
});

afterAll(() => world.app.close());

describe('07: a key that is sent in another field of its column', () => {
  it.each(['shop', 'shop_id'])(
    'is refused alike for a hidden and a missing row: %s, created',
    async (field) => {
      const ann = world.as('ann');
      const hidden = await ann.post('/items/orders', { [field]: 15 });
      const missing = await ann.post('/items/orders', { [field]: 999 });
      expect([hidden.status, hidden.text]).toEqual([403, missing.text]);
    },
  );
  it.each(['shop', 'shop_id'])(
    'is refused alike for a hidden and a missing row: %s, updated',
    async (field) => {
      const ann = world.as('ann');
      const made = await ann.post('/items/orders', { shop: 1 });
      const id = made.data['id'] as number;
      const hidden = await ann.patch(`/items/orders/${id}`, { [field]: 15 });
      const missing = await ann.patch(`/items/orders/${id}`, { [field]: 999 });
      expect([hidden.status, hidden.codes]).toEqual([400, ['INVALID_FOREIGN_KEY']]);
      expect([missing.status, missing.codes]).toEqual([400, ['INVALID_FOREIGN_KEY']]);
    },
  );
  it.each(['shop', 'shop_id'])('is not judged by hidden values: %s', async (field) => {
    const ann = world.as('ann');
    const one = await ann.post('/items/orders', { [field]: 18 });
    const other = await ann.post('/items/orders', { [field]: 19 });
    expect(one.codes).toEqual(other.codes);
  });
  it.each(['admin', 'ann'])('is refused if it leads to a deleted row: %s', async (who) => {
    for (const field of ['shop', 'shop_id']) {
      const reply = await world.as(who).post('/items/orders', { [field]: 9 });
      const refused = who === 'admin' ? [400, ['INVALID_FOREIGN_KEY']] : [403, ['FORBIDDEN']];
      expect([reply.status, reply.codes]).toEqual(refused);
    }
  });
  it.each(['shop', 'id'])('is refused if it is the primary key too: in %s', async (field) => {
    const ann = world.as('ann');
    const hidden = await ann.post('/items/shop_notes', { [field]: 15 });
    const missing = await ann.post('/items/shop_notes', { [field]: 999 });
    expect([hidden.status, hidden.codes]).toEqual([400, ['INVALID_FOREIGN_KEY']]);
    expect([missing.status, missing.codes]).toEqual([400, ['INVALID_FOREIGN_KEY']]);
  });
  it.each(['shop', 'shop_id'])('does not count as missing if %s is sent', async (field) => {
    const reply = await world.as('admin').post('/items/lines', { [field]: 1 });
    const faults = (reply.body as { errors: { extensions: { field: string } }[] }).errors.map(
      (e) => e.extensions.field,
    );
    expect([reply.status, faults]).toEqual([400, ['title']]);
  });
  it('belongs to a relation that is described with its constraint', async () => {
    const reply = await world.as('admin').get('/relations/orders/shop');
    expect((reply.data as { schema: unknown }).schema).not.toBeNull();
  });
});
