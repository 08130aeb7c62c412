import { Module } from '@nestjs/common';
import { Metrics } from '../common/metrics/metrics';
import { cachedPrograms } from '../engine';
import { plainQueries, plainStatements, storingStatements } from '../repository';
import { HealthChecks } from './health-checks';
import { HealthService } from './health.service';
import { InfoService } from './info.service';
import { ServerController } from './server.controller';

@Module({
  controllers: [ServerController],
  providers: [HealthChecks, HealthService, InfoService],
  exports: [HealthChecks, HealthService, InfoService],
})
export class ServerModule {
  constructor(metrics: Metrics) {
    // One cache for all applications of a process.
    metrics.addCache('queries', plainQueries);
    metrics.addCache('statements', plainStatements);
    metrics.addCache('storing_statements', storingStatements);
    metrics.addCache('patterns', cachedPrograms);
  }
}
