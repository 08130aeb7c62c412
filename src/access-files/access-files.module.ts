import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { provideSchema } from '../database';
import { AccessFiles } from './access-files.service';
import { MANAGED_HOOKS } from './managed/managed.hooks';
import { ManagedGuard } from './managed/managed-guard';
import { ManagedRules } from './managed/managed-rules.service';
import { StoredManagedRules } from './managed/stored-rules.entity';

/** Roles, policies and rules as files, and with modules: read, compared and carried out. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    provideSchema({ entities: [StoredManagedRules] }),
    ...[AccessFiles, ManagedRules, ManagedGuard],
    ...MANAGED_HOOKS,
  ],
  exports: [AccessFiles],
})
export class AccessFilesModule {}
