import { StartupError } from '../../config/startup-error';

/** Something a team must change before the service can start; the message says what. */
export class RegistrationError extends StartupError {
  override readonly name = 'RegistrationError';
}
