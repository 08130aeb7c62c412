import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { AuthSettings } from './auth-settings';
import { Settings } from './settings.entity';
import { SettingsHooks } from './settings.hooks';

@Module({
  imports: [CollectionsModule.forFeature([Settings], { system: true, path: 'settings' })],
  providers: [AuthSettings, SettingsHooks],
  exports: [AuthSettings],
})
export class SettingsModule {}
