export * from './check-entities';
export * from './collection-name';
export * from './field-declaration';
export * from './fields';
export { RegistrationError } from './registration-error';
