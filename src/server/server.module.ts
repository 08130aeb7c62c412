import { Module } from '@nestjs/common';
import { HealthChecks } from './health-checks';
import { HealthService } from './health.service';
import { ServerController } from './server.controller';

@Module({
  controllers: [ServerController],
  providers: [HealthChecks, HealthService],
  exports: [HealthChecks],
})
export class ServerModule {}
