import { Module } from '@nestjs/common';
import { Broadcast, Database } from '../database';
import { Collections } from '../collections';
import { AppConfig } from '../config/app-config';
import { Metrics } from '../common/metrics/metrics';
import { RulesCache } from './rules-cache';
import { addRulesMetrics } from './rules-metrics';
import { principalLoader } from './principal-loader';
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
      inject: [Database, Collections, RightsChanges, Metrics, AppConfig],
      useFactory: (
        database: Database,
        { registry, currentMarks }: Collections,
        changes: RightsChanges,
        metrics: Metrics,
        { authProviders }: AppConfig,
      ): RulesCache => {
        const trusted = authProviders.filter((each) => each.satisfiesTfa).map(({ name }) => name);
        const loader = principalLoader(registry, database, trusted);
        const rules = new RulesCache(database, registry, loader, changes, currentMarks);
        addRulesMetrics(metrics, rules);
        return rules;
      },
    },
  ],
  exports: [RulesCache, RightsChanges],
})
export class RulesModule {}
