export { Privileges } from './privileges';
export { PrivilegesModule } from './privileges.module';
