export { PermissionsModule } from './permissions.module';
