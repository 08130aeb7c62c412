import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics';
import { ProcessMetrics } from './process-metrics';
import { RequestMetrics } from './request-metrics';

@Global()
@Module({
  providers: [Metrics, ProcessMetrics, RequestMetrics],
  exports: [Metrics, RequestMetrics],
})
export class MetricsModule {}
