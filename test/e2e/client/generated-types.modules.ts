import { Module } from '@nestjs/common';
import { CollectionsModule, Field } from '../../../src/kit';
import { SampleModule } from '../../sample-extension/sample.module';

class StaffFields {
  @Field.text({ nullable: true })
  department!: string | null;
}

@Module({ imports: [CollectionsModule.extend('service_users', StaffFields)] })
class StaffModule {}

export const modules = [SampleModule, StaffModule];
