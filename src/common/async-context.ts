import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What a piece of work stands in, for all that it calls and awaits. Node follows every promise of the process, those of
 * plain reads too, for as long as a storage is enabled: this one is while work runs, and no longer.
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
