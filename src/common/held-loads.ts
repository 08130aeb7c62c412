import { LRUCache } from 'lru-cache';

/**
 * What was loaded, held for as long as there is room: counted in bytes, since one may be a thousand times as large as
 * another. Whoever asks while it is being loaded shares that; a load that failed, or that was dropped meanwhile, is not
 * held, nor is what is larger than all the room.
 */
export class HeldLoads<T> {
  private readonly loading = new Map<string, Promise<T>>();
  private readonly held: LRUCache<string, Promise<T>>;

  /**
   * @param room in bytes
   * @param weigh about how many bytes of memory a value keeps
   */
  constructor(
    room: number,
    private readonly weigh: (value: T) => number,
  ) {
    this.held = new LRUCache({ maxSize: room });
  }

  ask(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.held.get(key) ?? this.loading.get(key);
    if (known) return known;
    const loading = load();
    this.loading.set(key, loading);
    loading.then(
      (value) => this.ends(key, loading) && this.hold(key, loading, value),
      () => this.ends(key, loading),
    );
    return loading;
  }

  /** The value has become heavier. */
  reweigh(key: string, value: T): void {
    const known = this.held.peek(key);
    if (!known) return;
    // Set again alone, it would keep its old size.
    this.held.delete(key);
    this.hold(key, known, value);
  }

  delete(key: string): void {
    this.loading.delete(key);
    this.held.delete(key);
  }

  clear(): void {
    this.loading.clear();
    this.held.clear();
  }

  private hold(key: string, loaded: Promise<T>, value: T): void {
    this.held.set(key, loaded, { size: OVERHEAD + key.length + Math.ceil(this.weigh(value)) });
  }

  private ends(key: string, loading: Promise<T>): boolean {
    return this.loading.get(key) === loading && this.loading.delete(key);
  }
}

/** Of an entry, beside what it holds. */
const OVERHEAD = 300;
