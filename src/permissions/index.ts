export { Permission } from './permission.entity';
export { PermissionsModule } from './permissions.module';
export { readRulesOf } from './stored-rules';
