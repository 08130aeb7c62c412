export * from './check-entities';
export * from './collection-name';
export * from './field-description';
export * from './fields';
export { RegistrationError } from './registration-error';
