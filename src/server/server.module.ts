import { Module } from '@nestjs/common';
import { Metrics } from '../common/metrics/metrics';
import { cachedPrograms } from '../engine';
import { plainStatements } from '../repository';
import { HealthChecks } from './health-checks';
import { HealthService } from './health.service';
import { ServerController } from './server.controller';

@Module({
  controllers: [ServerController],
  providers: [HealthChecks, HealthService],
  exports: [HealthChecks],
})
export class ServerModule {
  constructor(metrics: Metrics) {
    // One for all applications of a process.
    metrics.addCache('statements', plainStatements);
    metrics.addCache('patterns', cachedPrograms);
  }
}
