export { HostRequestRouter } from './host-request-router';
export { GuestErrorsFilter } from './guest-errors.filter';
export { checkOptions, type DoorwardOptions, type GuardMode } from './guest-options';
export { GUARD_MODE } from './guest-scope';
export { GuestModule } from './guest.module';
