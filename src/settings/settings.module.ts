import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { AuthSettings } from './auth-settings';
import { NamedRoleHooks } from './named-role.hooks';
import { Settings } from './settings.entity';
import { SettingsHooks } from './settings.hooks';

@Module({
  imports: [CollectionsModule.forFeature([Settings], { system: true, path: 'settings' })],
  providers: [AuthSettings, NamedRoleHooks, SettingsHooks],
  exports: [AuthSettings],
})
export class SettingsModule {}
