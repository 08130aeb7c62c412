export { type Check, type CheckResult, HealthChecks } from './health-checks';
export { ServerModule } from './server.module';
