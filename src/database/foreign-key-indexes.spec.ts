import { getMetadataArgsStorage, Index, Unique } from 'typeorm';
import { Collection, Field } from '../common/schema';
import { foreignKeyIndexes } from './foreign-key-indexes';

@Collection('orders')
@Index(['by', 'number'])
@Index(['checker', 'number'], { where: '"checker" IS NOT NULL' })
@Index(['payer', 'number'], { where: '"number" > 0' })
@Index(['number', 'maker'])
@Unique(['place', 'number'])
class Order {
  @Field.key('integer') id!: number;
  @Field.integer() number!: number;
  @Field.toOne('users') maker!: string;
  @Field.toOne('users') by!: string;
  @Field.toOne('users', { nullable: true }) checker!: string | null;
  @Field.toOne('users') payer!: string;
  @Field.toOne('places') place!: string;
  @Field.toOne('bills', { unique: true }) bill!: string;
  @Index('orders_clerk')
  @Field.toOne('users')
  clerk!: string;
  @Field.toOne('settings', { index: false }) settings!: string;
}

@Collection('large_orders')
class LargeOrder extends Order {
  @Field.toOne('users') keeper!: string;
}

class Settled {
  @Field.toOne('users') settler!: string;
  @Field.toOne('users', { index: false }) witness!: string;
}

const indexed = (...entities: (new () => object)[]): unknown[] =>
  foreignKeyIndexes(getMetadataArgsStorage(), entities, [
    { collection: 'large_orders', fields: Settled },
  ]).map(({ target, columns }) => [target, columns]);

it('each foreign key has an index, unless it opts out or another index begins with it', () => {
  expect(indexed(Order)).toEqual([
    [Order, ['maker']],
    [Order, ['payer']],
  ]);
});

it('an inherited key is indexed once, and one that a module adds like the others', () => {
  expect(indexed(LargeOrder, Order)).toEqual([
    [Order, ['maker']],
    [Order, ['payer']],
    [LargeOrder, ['keeper']],
    [LargeOrder, ['settler']],
  ]);
});
