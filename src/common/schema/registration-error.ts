import { StartupError } from '../../config/startup-error';

/** Stops a start because of a mistake in a module, an entity or its decorators. The message says what to change. */
export class RegistrationError extends StartupError {
  override readonly name = 'RegistrationError';
}
