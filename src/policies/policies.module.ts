import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { Access } from './access.entity';
import { Policy } from './policy.entity';
import { PolicyHooks } from './policy.hooks';

@Module({
  imports: [
    CollectionsModule.forFeature([Policy], { system: true, path: 'policies' }),
    CollectionsModule.forFeature([Access], { system: true, path: 'access' }),
  ],
  providers: [PolicyHooks],
})
export class PoliciesModule {}
