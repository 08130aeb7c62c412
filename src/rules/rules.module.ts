import { Module } from '@nestjs/common';
import { Broadcast, Database } from '../database';
import { Collections } from '../collections';
import { Metrics } from '../common/metrics/metrics';
import { RulesCache } from './rules-cache';
import { addRulesMetrics } from './rules-metrics';
import { variableLoader } from './variable-loader';
import { RightsChanges } from './rights-changes';

/** Who has which rules. Depends on the collections that it reads: users, roles, policies, access and rules. */
@Module({
  providers: [
    {
      provide: RightsChanges,
      inject: [Broadcast],
      useFactory: (broadcast: Broadcast) => new RightsChanges(broadcast),
    },
    {
      provide: RulesCache,
      inject: [Database, Collections, RightsChanges, Metrics],
      useFactory: (
        database: Database,
        { registry, meanings }: Collections,
        changes: RightsChanges,
        metrics: Metrics,
      ): RulesCache => {
        const variables = variableLoader(registry, database);
        const rules = new RulesCache(database, registry, variables, changes, meanings);
        addRulesMetrics(metrics, rules);
        return rules;
      },
    },
  ],
  exports: [RulesCache, RightsChanges],
})
export class RulesModule {}
