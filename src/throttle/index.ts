export { RequestLimitGuard } from './request-limit.guard';
export { Throttle } from './throttle';
export { ThrottleModule } from './throttle.module';
