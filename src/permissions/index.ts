export { PermissionsModule } from './permissions.module';
export { readRulesOf } from './stored-rules';
