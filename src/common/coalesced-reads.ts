interface Reading<T> {
  readonly running: Promise<T>;
  next?: Promise<T>;
}

/**
 * Shares reads whose results must not be cached. Each read starts after it was requested, so it shows everything that
 * was stored by then. One read per key runs at a time; requests that arrive meanwhile share the next one.
 */
export class CoalescedReads<T> {
  private readonly running = new Map<string, Reading<T>>();

  read(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.running.get(key);
    if (!known) return this.run(key, read);
    const run = (): Promise<T> => this.run(key, read);
    known.next ??= known.running.then(run, run);
    return known.next;
  }

  private run(key: string, read: () => Promise<T>): Promise<T> {
    const reading: Reading<T> = { running: read() };
    this.running.set(key, reading);
    const end = (): void => {
      if (reading.next === undefined) this.running.delete(key);
    };
    reading.running.then(end, end);
    return reading.running;
  }
}
