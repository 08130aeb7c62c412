import { Collection, CollectionsModule, Field } from 'doorward';
import { create, read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';
import { sent as sentOf } from './described';

@Collection('memos')
class Memo {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
  @Field.integer({ version: true }) version!: number;
}

@Collection('orders')
class Order {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
  @Field.toMany('lines', 'order') lines!: number[];
}

@Collection('lines')
class Line {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.toOne(() => Order) order!: number;
}

const WRITERS = [
  ...[read('memos', ['*']), update('memos', ['title'])],
  ...[read('orders', ['*']), create('orders', ['*'])],
  ...[read('lines', ['*']), create('lines', ['*'])],
];

let world: World;
beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Memo, Order, Line])];
  world = await seed(await startTestApp({ imports, synchronize: true }), {
    policies: { writers: WRITERS, updaters: [update('memos', ['title'])] },
    users: { ann: { policies: ['writers'] }, bob: { policies: ['updaters'] } },
  });
  await world.as('admin').post('/items/memos', [{ title: 'a' }, { title: 'b' }]);
});
afterAll(() => world.app.close());

const sent = (name: string, method: string, path: string, body: object) =>
  sentOf(world, [name, method, path.replace(/\/\d+$/, '/{id}'), path, body]);

const BOTH = { taken: true, described: true };
const NEITHER = { taken: false, described: false };

describe.each(['admin', 'ann'])('the bodies that %s may send are described', (name) => {
  it('an update of each item by its key', async () => {
    expect(await sent(name, 'PATCH', '/items/memos', [{ id: 1, title: 'A' }])).toEqual(BOTH);
  });

  it('an update with the version that was read', async () => {
    const { version } = (await world.as(name).get('/items/memos/2')).data;
    expect(await sent(name, 'PATCH', '/items/memos/2', { title: 'B', version })).toEqual(BOTH);
  });

  it('items that are created in a list of another item, without its key', async () => {
    const body = { title: 'T', lines: [{ name: 'one' }] };
    expect(await sent(name, 'POST', '/items/orders', body)).toEqual(BOTH);
  });

  it('such items without a required field or with an invalid one are refused', async () => {
    const body = { title: 'T', lines: [{ name: 7 }] };
    expect(await sent(name, 'POST', '/items/orders', body)).toEqual(NEITHER);
    expect(await sent(name, 'POST', '/items/lines', { name: 'one' })).toEqual(NEITHER);
  });
});

it('callers who may not read the version cannot send it', async () => {
  const body = { title: 'B', version: 1 };
  expect(await sent('bob', 'PATCH', '/items/memos/2', body)).toEqual(NEITHER);
});
