export { pathOf } from './allowed-methods';
export * from './catalogue';
export { defineTeamError } from './define-team-error';
export {
  AppError,
  type AppErrors,
  type ErrorClass,
  MAX_FAULTS,
  SeveralErrors,
  defineError,
  throwIfAny,
} from './define-error';
export { fromExpress, markMapped, toAppErrors, toEntry } from './to-app-errors';
export { answerWith, ErrorsFilter, noRouteFor } from './errors.filter';
export { HiddenCause, isClientError, isFault, logFaults } from './faults';
export { answerErrorsOf } from './own-classes';
export { type GlobalFilters, setGlobalFilters } from './own-routes.filter';
export { markUnserved } from './unserved';
export { withItem } from './with-item';
export { withoutDetails } from './without-details';
