import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { Role } from './role.entity';
import { RoleHooks } from './role.hooks';

@Module({
  imports: [CollectionsModule.forFeature([Role], { system: true, path: 'roles' })],
  providers: [RoleHooks],
})
export class RolesModule {}
