export * from './check-entities';
export * from './check-extensions';
export { checkDeletedAt } from './check-deleted-at';
export { Collection } from './collection.decorator';
export * from './collection-name';
export * from './extension';
export * from './field-declaration';
export * from './fields';
export { RegistrationError } from './registration-error';
