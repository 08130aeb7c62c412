import { Module } from '@nestjs/common';
import { Collection, type CollectionHooks, CollectionsModule, Field, HooksOf } from 'doorward';
import { seed, withTables, type World } from '../../../factories';
import { type Reply, startTestApp } from '../../../support';

@Collection('orders')
class Order {
  @Field.key('integer') id!: number;
  @Field.text({ writeOnce: true, nullable: true }) code!: string | null;
  @Field.text({ nullable: true }) note!: string | null;
  @Field.text({ readOnly: true, default: 'new' }) state!: string;
  @Field.timestamp({ createdAt: true }) made_at!: Date;
  @Field.timestamp({ updatedAt: true }) changed_at!: Date;
  @Field.toOne('service_users', { nullable: true, createdBy: true }) made_by!: string | null;
  @Field.toOne('service_users', { nullable: true, updatedBy: true }) changed_by!: string | null;
  @Field.integer({ version: true }) version!: number;
  @Field.toMany('order_lines', 'order') lines!: number[];
  @Field.toMany('order_bills', 'order') bills!: number[];
}

@Collection('order_lines')
class OrderLine {
  @Field.key('integer') id!: number;
  @Field.toOne('orders', { writeOnce: true, nullable: true }) order!: number | null;
  @Field.text() text!: string;
  @Field.integer({ version: true }) edition!: number;
}

@Collection('order_bills')
class OrderBill {
  @Field.key('integer') id!: number;
  @Field.toOne('orders', { readOnly: true, nullable: true }) order!: number | null;
  @Field.text({ readOnly: true }) place!: string;
}

@HooksOf('order_bills')
class BillHooks implements CollectionHooks {
  defaults: CollectionHooks['defaults'] = () => ({ place: 'till' });
}

/** A changed line leaves a note at its order. */
@HooksOf('order_lines')
class LineHooks implements CollectionHooks {
  afterUpdate: CollectionHooks['afterUpdate'] = async (keys, { tx, write }) => {
    const text = 'SELECT "order" FROM order_lines WHERE id = ANY($1) AND "order" IS NOT NULL';
    const rows = await tx.query<{ order: number }>(text, [keys]);
    for (const { order } of rows) await write.update('orders', [order], { note: 'line' });
  };
}

@Module({
  imports: [CollectionsModule.forFeature([Order, OrderLine, OrderBill])],
  providers: [LineHooks, BillHooks],
})
class OrdersModule {}

export const rule = (action: string, collection: string, more: object) => ({
  ...{ action, collection, fields: ['*'], permissions: {} },
  ...more,
});

const CRU = (collection: string) =>
  ['create', 'read', 'update'].map((action) => rule(action, collection, {}));

/** Ann writes orders, Hal and Ned their notes; Eve cannot read what she changes. */
export async function openOrders(): Promise<World> {
  const app = await startTestApp({ imports: [OrdersModule], synchronize: true });
  const seeded = await seed(app, {
    policies: {
      clerk: [...CRU('orders'), ...CRU('order_lines'), rule('read', 'order_bills', {})],
      // Changes notes, and reads the version of own orders only.
      helper: [
        rule('update', 'orders', { fields: ['note'] }),
        rule('read', 'orders', { fields: ['note', 'made_by'] }),
        rule('read', 'orders', {
          fields: ['version'],
          permissions: { made_by: { _eq: '$CURRENT_USER' } },
        }),
        rule('create', 'orders', { fields: ['note'] }),
      ],
      blind: [rule('update', 'orders', { fields: ['note', 'version', 'state'] })],
      // Changes notes, and does not know of versions.
      noting: ['read', 'update'].map((action) => rule(action, 'orders', { fields: ['note'] })),
    },
    users: {
      ann: { policies: ['clerk'] },
      hal: { policies: ['helper'] },
      eve: { policies: ['blind'] },
      ned: { policies: ['noting'] },
    },
  });
  return withTables(seeded, ['orders', 'order_lines', 'order_bills']);
}

/** The status of a refusal, and the code and field of its first error. */
export const fault = ({ status, codes, text }: Reply): unknown => {
  const { errors } = JSON.parse(text) as { errors: { extensions: Record<string, unknown> }[] };
  return [status, codes[0], errors[0]?.extensions['field']];
};
