export * from './catalogue';
export { AppError, SeveralErrors, defineError, throwIfAny } from './define-error';
export { type AppErrors, type ErrorEntry, toAppErrors, toEntry } from './to-app-errors';
export { answerWith, ErrorsFilter } from './errors.filter';
