import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { Role } from './role.entity';
import { RoleHooks } from './role.hooks';
import { RolesController } from './roles.controller';
import { RolesResolver } from './roles.resolver';
import { RolesService } from './roles.service';

@Module({
  imports: [CollectionsModule.forFeature([Role], { system: true, routes: false })],
  controllers: [RolesController],
  providers: [RoleHooks, RolesService, RolesResolver],
})
export class RolesModule {}
