export { HostRequestRouter } from './host-request-router';
export { GuestErrorsFilter } from './guest-errors.filter';
export { checkOptions, type DoorwardOptions, type Guarded } from './guest-options';
export { GUARDED } from './guest-scope';
export { GuestModule } from './guest.module';
