/** Work under the same key is done one after another, in the order in which it came; other keys do not wait. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  /** @returns what the work does; whether those before it failed is theirs alone */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const done = before.then(work);
    const over = done.then(noop, noop).then(() => {
      if (this.last.get(key) === over) this.last.delete(key);
    });
    this.last.set(key, over);
    return done;
  }

  /** Keys that somebody waits for or works under. */
  get size(): number {
    return this.last.size;
  }
}

const noop = (): void => {};
