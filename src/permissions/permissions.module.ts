import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { splitActions } from './flag-body';
import { MyPermissionsController } from './my-permissions.controller';
import { Permission } from './permission.entity';
import { PermissionHooks } from './permission.hooks';
import { PermissionsResolver } from './permissions.resolver';
import { PermissionsService } from './permissions.service';
import { SleepingRules } from './sleeping-rules';

@Module({
  imports: [
    CollectionsModule.forFeature([Permission], {
      system: true,
      path: 'permissions',
      readBody: splitActions,
    }),
  ],
  controllers: [MyPermissionsController],
  providers: [PermissionsService, PermissionHooks, PermissionsResolver, SleepingRules],
})
export class PermissionsModule {}
