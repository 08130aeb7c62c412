import { Controller, Get, Module, Param } from '@nestjs/common';
import {
  type Caller,
  Collection,
  type CollectionHooks,
  CollectionService,
  CollectionsModule,
  CurrentCaller,
  Field,
  HooksOf,
  InjectService,
  type Key,
  type Payload,
  RequirePermission,
  type UpdateContext,
  type WriteContext,
} from 'doorward';
import { create, read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('carts')
class Cart {
  @Field.key('integer') id!: number;
  @Field.decimal({ precision: 12, scale: 2, default: 0, readOnly: true }) total!: string;
  @Field.integer({ version: true }) version!: number;
}

@Collection('cart_lines')
class CartLine {
  @Field.key('integer') id!: number;
  @Field.toOne('carts') cart!: number;
  @Field.decimal({ precision: 12, scale: 2 }) price!: string;
}

/** Sets the total of a cart whenever a hook updates it. */
@HooksOf(Cart)
class CartHooks implements CollectionHooks {
  async beforeUpdate(
    payload: Payload,
    [cart]: readonly Key[],
    { byHook, set, system }: UpdateContext,
  ): Promise<Payload> {
    if (!byHook) return payload;
    const query = { aggregate: { sum: ['price'] }, filter: { cart: { _eq: cart } } };
    const [group] = await system('the total of a cart').read.list('cart_lines', query);
    const sum = group?.['sum'] as { price: string | null } | undefined;
    set({ total: sum?.price ?? '0' });
    return payload;
  }
}

@HooksOf(CartLine)
class LineHooks implements CollectionHooks {
  afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
    return updateCarts(keys, context);
  }

  afterUpdate(keys: readonly Key[], context: WriteContext): Promise<void> {
    return updateCarts(keys, context);
  }
}

async function updateCarts(keys: readonly Key[], { system }: WriteContext): Promise<void> {
  const { read: rows, write } = system('the totals of carts');
  const query = { fields: ['cart', 'price'], filter: { id: { _in: keys } }, limit: -1 };
  const lines = await rows.list('cart_lines', query);
  // A price that no test sends otherwise: the system sends the total itself.
  const sent = lines.some(({ price }) => price === '0.13') ? { total: '0.13' } : {};
  for (const cart of new Set(lines.map((line) => line['cart'] as Key))) {
    await write.update('carts', [cart], sent);
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Cart, CartLine])],
  providers: [CartHooks, LineHooks],
  exports: [CollectionsModule],
})
class CartsModule {}

@Controller('totals')
class TotalsController {
  constructor(@InjectService(Cart) private readonly carts: CollectionService) {}

  @Get(':id')
  @RequirePermission('read', 'carts')
  total(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<unknown> {
    return this.carts.one(caller, id, { fields: ['total'] });
  }
}

@Module({ imports: [CartsModule], controllers: [TotalsController] })
class TotalsModule {}

let world: World;

beforeAll(async () => {
  const app = await startTestApp({ imports: [TotalsModule], synchronize: true });
  world = await seed(app, {
    policies: {
      buyers: [
        ...[create('carts', ['*']), read('carts', ['*']), update('carts', ['*'])],
        ...[create('cart_lines', ['*']), read('cart_lines', ['*']), update('cart_lines', ['*'])],
      ],
    },
    users: { ann: { policies: ['buyers'] } },
  });
});

afterAll(() => world.app.close());

const newCart = async (): Promise<unknown> =>
  (await world.as('ann').post('/items/carts', {})).data['id'];

describe('A read-only field that depends on another collection', () => {
  it('is set by the hook of its own collection, in an update of another hook that sends nothing', async () => {
    const cart = await newCart();
    const lines = [
      { cart, price: '1.25' },
      { cart, price: '2' },
    ];
    const made = await world.as('ann').post('/items/cart_lines', lines);
    const path = `/items/carts/${String(cart)}`;
    expect((await world.as('ann').get(path)).data).toMatchObject({ total: '3.25', version: 2 });
    const [{ id }] = made.data as unknown as [{ id: number }];
    await world.as('ann').patch(`/items/cart_lines/${id}`, { price: '5.00' });
    expect((await world.as('ann').get(path)).data).toMatchObject({ total: '7.00', version: 3 });
  });

  it('cannot be sent, by an administrator or as the system', async () => {
    const cart = await newCart();
    const path = `/items/carts/${String(cart)}`;
    const sent = await world.as('admin').patch(path, { total: '9.00' });
    expect([sent.status, sent.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    const line = await world.as('ann').post('/items/cart_lines', { cart, price: '0.13' });
    expect([line.status, line.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect((await world.as('ann').get(path)).data).toMatchObject({ total: '0.00', version: 1 });
  });
});

it('The service of a collection is injected where its module is imported and exports it', async () => {
  const reply = await world.as('ann').get(`/totals/${String(await newCart())}`);
  expect(reply.data).toEqual({ total: '0.00' });
});
