export { type CheckResult, HealthChecks } from './health-checks';
export { HealthService } from './health.service';
export { LandingModule } from './landing/landing.module';
export { ScrapeModule } from './scrape.module';
export { ServerModule } from './server.module';
