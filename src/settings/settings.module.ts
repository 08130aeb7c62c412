import { Module } from '@nestjs/common';
import { serviceCollections } from '../collections';
import { AuthSettings } from './auth-settings';
import { RegistrationRoleHooks } from './registration-role.hooks';
import { Settings } from './settings.entity';
import { SettingsHooks } from './settings.hooks';

@Module({
  imports: [serviceCollections([Settings], { path: 'settings' })],
  providers: [AuthSettings, RegistrationRoleHooks, SettingsHooks],
  exports: [AuthSettings],
})
export class SettingsModule {}
