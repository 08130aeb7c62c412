/**
 * A promise that notes whether somebody awaits it. An error that nobody awaits does not end the process: the code that
 * made the promise asks in the end whether it was awaited.
 */
export class TrackedPromise<T> extends Promise<T> {
  /** What `then` returns is an ordinary promise: awaiting that counts as awaiting this one. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  static of<T>(work: Promise<T>): TrackedPromise<T> {
    const noted = new TrackedPromise<T>((resolve) => resolve(work));
    noted.catchQuietly();
    return noted;
  }

  isAwaited = false;

  // eslint-disable-next-line unicorn/no-thenable
  override then<R = T, F = never>(
    fulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    rejected?: ((reason: unknown) => F | PromiseLike<F>) | null,
  ): Promise<R | F> {
    this.isAwaited = true;
    return super.then(fulfilled, rejected);
  }

  private catchQuietly(): void {
    void super.then(undefined, () => undefined);
  }
}
