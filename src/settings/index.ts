export { AuthSettings } from './auth-settings';
export { matchesEmailFilter } from './email-filter';
export { type Project, readProject } from './read-project';
export { Settings } from './settings.entity';
export { SettingsModule } from './settings.module';
