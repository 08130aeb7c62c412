import { Module } from '@nestjs/common';
import { serviceCollections } from '../collections';
import { Role } from './role.entity';
import { RoleHooks } from './role.hooks';
import { RolesController } from './roles.controller';
import { RolesResolver } from './roles.resolver';
import { RolesService } from './roles.service';

@Module({
  imports: [serviceCollections([Role], { routes: false })],
  controllers: [RolesController],
  providers: [RoleHooks, RolesService, RolesResolver],
})
export class RolesModule {}
