export { Settings } from './settings.entity';
export { SettingsModule } from './settings.module';
