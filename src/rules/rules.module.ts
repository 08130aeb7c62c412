import { Module } from '@nestjs/common';
import { Broadcast, Database } from '../database';
import { Collections } from '../collections';
import { RulesCache } from './rules-cache';
import { variableLoader } from './variable-loader';
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
      provide: RulesCache,
      inject: [Database, Collections, RightsChanges],
      useFactory: (
        database: Database,
        { registry, meanings }: Collections,
        changes: RightsChanges,
      ): RulesCache => {
        const variables = variableLoader(registry, database);
        return new RulesCache(database, registry, variables, changes, meanings);
      },
    },
  ],
  exports: [RulesCache, RightsChanges],
})
export class RulesModule {}
