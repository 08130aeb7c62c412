export { Permission } from './permission.entity';
export { PermissionsModule } from './permissions.module';
export { tellFault } from './rule-fault';
export { readRulesOf } from './stored-rules';
