import { Module } from '@nestjs/common';
import { Broadcast, Database } from '../database';
import { Collections } from '../collections';
import { HeldRules } from './held-rules';
import { heldVariables } from './held-variables';
import { RightsChanges } from './rights-changes';

/** Who has which rules. It stands above the collections that it reads: users, roles, policies, access and rules. */
@Module({
  providers: [
    {
      provide: RightsChanges,
      inject: [Broadcast],
      useFactory: (broadcast: Broadcast) => new RightsChanges(broadcast),
    },
    {
      provide: HeldRules,
      inject: [Database, Collections, RightsChanges],
      useFactory: (
        database: Database,
        { registry, meanings }: Collections,
        changes: RightsChanges,
      ): HeldRules => {
        const variables = heldVariables(registry, database);
        return new HeldRules(database, registry, variables, changes, meanings);
      },
    },
  ],
  exports: [HeldRules, RightsChanges],
})
export class RulesModule {}
