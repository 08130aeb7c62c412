import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { Access } from './access.entity';
import { PoliciesController } from './policies.controller';
import { PoliciesResolver } from './policies.resolver';
import { PoliciesService } from './policies.service';
import { Policy } from './policy.entity';
import { PolicyHooks } from './policy.hooks';

@Module({
  imports: [
    CollectionsModule.forFeature([Policy], { system: true, routes: false }),
    CollectionsModule.forFeature([Access], { system: true, path: 'access' }),
  ],
  controllers: [PoliciesController],
  providers: [PolicyHooks, PoliciesService, PoliciesResolver],
})
export class PoliciesModule {}
