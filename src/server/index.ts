export { type Check, type CheckResult, HealthChecks } from './health-checks';
export { ScrapeModule } from './scrape.module';
export { ServerModule } from './server.module';
