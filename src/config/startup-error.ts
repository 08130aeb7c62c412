/** A reason not to start that the operator can mend: shown as it is, without a stack. Exit code 1. */
export class StartupError extends Error {
  override name = 'StartupError';
}
