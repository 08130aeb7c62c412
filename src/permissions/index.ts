export { Permission } from './permission.entity';
export { PermissionsModule } from './permissions.module';
export { textOfFault } from './rule-fault';
export { readRulesOf } from './stored-rules';
