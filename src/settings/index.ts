export { type AuthRules, AuthSettings } from './auth-settings';
export { matchesEmailFilter } from './email-filter';
export { Settings } from './settings.entity';
export { SettingsModule } from './settings.module';
