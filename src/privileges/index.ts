export { Privileges, type Target } from './privileges';
export { PrivilegesModule } from './privileges.module';
