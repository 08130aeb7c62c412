import { Module } from '@nestjs/common';
import { serviceCollections } from '../collections';
import { Access } from './access.entity';
import { AccessHooks } from './access.hooks';
import { PoliciesController } from './policies.controller';
import { PoliciesResolver } from './policies.resolver';
import { PoliciesService } from './policies.service';
import { Policy } from './policy.entity';
import { PolicyHooks } from './policy.hooks';

@Module({
  imports: [
    serviceCollections([Policy], { routes: false }),
    serviceCollections([Access], { path: 'access' }),
  ],
  controllers: [PoliciesController],
  providers: [PolicyHooks, AccessHooks, PoliciesService, PoliciesResolver],
})
export class PoliciesModule {}
