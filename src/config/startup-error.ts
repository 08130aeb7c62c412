/** A reason not to start that the operator can correct: its message is printed without a stack. Exit code 1. */
export class StartupError extends Error {
  override name = 'StartupError';
}
