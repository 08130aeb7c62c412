import { Module } from '@nestjs/common';
import { Administrators } from './administrators';
import { GuardedRows } from './guarded-rows';
import { PrivilegeCheck } from './privilege-check';
import { PRIVILEGE_HOOKS } from './privilege.hooks';
import { Privileges } from './privileges';
import { Snapshots } from './snapshots';

/** No one gains rights by writing: depends on everything that gives rights, and guards the writes to it. */
@Module({
  providers: [
    Administrators,
    Privileges,
    GuardedRows,
    Snapshots,
    PrivilegeCheck,
    ...PRIVILEGE_HOOKS,
  ],
  exports: [Privileges],
})
export class PrivilegesModule {}
