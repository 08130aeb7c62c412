export { GuestDoor } from './guest-door';
export { GuestErrorsFilter } from './guest-errors.filter';
export { GUARDED, type Guarded } from './guest-scope';
export { GuestModule } from './guest.module';
