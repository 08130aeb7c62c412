import { Module } from '@nestjs/common';
import { serviceCollections } from '../collections';
import { Permission } from './permission.entity';
import { PermissionHooks } from './permission.hooks';
import { PermissionsController } from './permissions.controller';
import { PermissionsResolver } from './permissions.resolver';
import { PermissionsService } from './permissions.service';
import { SleepingRules } from './sleeping-rules';

@Module({
  imports: [serviceCollections([Permission], { routes: false })],
  controllers: [PermissionsController],
  providers: [PermissionsService, PermissionHooks, PermissionsResolver, SleepingRules],
})
export class PermissionsModule {}
