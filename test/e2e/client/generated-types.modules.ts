import { Module } from '@nestjs/common';
import { Collection, CollectionsModule, Field } from '../../../src/kit';
import { SampleModule } from '../../sample-extension/sample.module';

@Collection('gauges')
export class Gauge {
  @Field.key('bigint') id!: string;
  @Field.bigint({ nullable: true }) total!: string | null;
  @Field.array('bigint') totals!: string[];
  @Field.date({ nullable: true }) due!: string | null;
  @Field.time({ nullable: true }) opens!: string | null;
  @Field.timestamp() read_at!: Date;
  @Field.array('timestamp') times!: string[];
  @Field.toOne(() => Gauge, { nullable: true }) parent!: string | null;
  @Field.toMany(() => Gauge, 'parent') parts!: string[];
}

class StaffFields {
  @Field.text({ nullable: true })
  department!: string | null;
}

@Module({ imports: [CollectionsModule.extend('service_users', StaffFields)] })
class StaffModule {}

@Module({ imports: [CollectionsModule.forFeature([Gauge])] })
class GaugesModule {}

export const modules = [SampleModule, StaffModule, GaugesModule];
