import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { provideSchema } from '../database';
import { AccessFilesService } from './access-files.service';
import { ExportableRuleHooks } from './exportable-rule.hooks';
import { MANAGED_HOOKS } from './managed/managed.hooks';
import { ManagedRowProtection } from './managed/managed-row-protection';
import { ManagedRulesService } from './managed/managed-rules.service';
import { StoredManagedRules } from './managed/stored-rules.entity';

/** Exports, compares and applies roles, policies and rules: those in files, and those that modules provide. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    provideSchema({ entities: [StoredManagedRules] }),
    AccessFilesService,
    ManagedRulesService,
    ManagedRowProtection,
    ExportableRuleHooks,
    ...MANAGED_HOOKS,
  ],
  exports: [AccessFilesService],
})
export class AccessFilesModule {}
