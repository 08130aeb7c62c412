/** Runs work of one key one piece after another, in the order in which it came; other keys do not wait. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  /** @returns the result of the work, whether earlier work failed or not */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const done = before.then(work);
    const over = done.then(noop, noop).then(() => {
      if (this.last.get(key) === over) this.last.delete(key);
    });
    this.last.set(key, over);
    return done;
  }

  /** The number of keys with running or waiting work. */
  get size(): number {
    return this.last.size;
  }
}

const noop = (): void => {};
