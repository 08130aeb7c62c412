import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A value that is visible to a piece of work and everything it calls and awaits. While such a storage is enabled, Node
 * tracks every promise of the process, so it is enabled only while work runs.
 */
export class AsyncContext<T> {
  private readonly storage = new AsyncLocalStorage<T>();
  private running = 0;

  get(): T | undefined {
    return this.storage.getStore();
  }

  async run<R>(context: T, work: () => R | Promise<R>): Promise<R> {
    this.running += 1;
    try {
      return await this.storage.run(context, work);
    } finally {
      this.running -= 1;
      if (this.running === 0) this.storage.disable();
    }
  }
}
