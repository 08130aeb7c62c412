export { type AuthRules, AuthSettings } from './auth-settings';
export { Settings } from './settings.entity';
export { SettingsModule } from './settings.module';
