import { Module } from '@nestjs/common';
import {
  Collection,
  type CollectionHooks,
  CollectionsModule,
  Field,
  HooksOf,
  type Key,
  type WriteContext,
} from 'doorward';

@Collection('orders')
class Order {
  @Field.key('integer') id!: number;
  @Field.text() status!: string;
  @Field.integer({ nullable: true }) total!: number | null;
  @Field.toMany('lines', 'order') lines!: number[];
  @Field.toMany('slips', 'order') slips!: number[];
  @Field.through('badges', { collection: 'order_badges', near: 'order', far: 'badge' })
  badges!: number[];
}

@Collection('lines')
class Line {
  @Field.key('integer') id!: number;
  @Field.integer() qty!: number;
  @Field.toOne('orders') order!: number;
}

/** An order can be without them. */
@Collection('slips')
class Slip {
  @Field.key('integer') id!: number;
  @Field.text() status!: string;
  @Field.toOne('orders', { nullable: true }) order!: number | null;
}

@Collection('badges')
class Badge {
  @Field.key('integer') id!: number;
}

@Collection('order_badges')
class OrderBadge {
  @Field.key('integer') id!: number;
  @Field.toOne('orders') order!: number;
  @Field.toOne('badges') badge!: number;
}

/** Lines of this quantity are added to the total of their order. */
export const SUMMED = 7;
/** So are these, but a total that cannot be written is not missed. */
export const SUMMED_OR_NOT = 8;

@HooksOf(Line)
class LineHooks implements CollectionHooks {
  afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
    return addUp(keys, context);
  }

  async afterUpdate(keys: readonly Key[], context: WriteContext): Promise<void> {
    await addUp(keys, context);
    await addUp(keys, context, SUMMED_OR_NOT).catch(() => undefined);
  }
}

async function addUp(keys: readonly Key[], context: WriteContext, summed = SUMMED): Promise<void> {
  const { read, write } = context.system('the total of an order');
  const filter = { id: { _in: keys }, qty: { _eq: summed } };
  for (const { order } of await read.list('lines', { filter, fields: ['order'] })) {
    const [row] = await read.list('orders', { filter: { id: { _eq: order } } });
    const total = Number(row?.['total'] ?? 0) + summed;
    await write.update('orders', [order as Key], { total });
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Order, Line, Slip, Badge, OrderBadge])],
  providers: [LineHooks],
})
export class OrdersModule {}
