import { LRUCache } from 'lru-cache';
import { CoalescedReads } from './coalesced-reads';
import type { SizedCache } from './metrics/metrics';

interface Loads<K, T> {
  /** The name of a key; keys with the same name are the same. */
  nameOf(key: K): string;
  load(key: K): Promise<T>;
  /** Roughly how many bytes of memory a value uses. */
  weigh(value: T): number;
  /** Bytes for all values together. */
  readonly maxBytes: number;
  /** Whether changes are received, so that values may be cached until one arrives. */
  mayCache(): boolean;
}

/**
 * Loaded values, cached while there is room: measured in bytes, since one may be a thousand times as large as another.
 * Requests during a load share it; a load that failed or was invalidated meanwhile is not cached, nor is a value larger
 * than the whole cache. While nothing may be cached, every request gets a read that began after it.
 */
export class LoadCache<K, T> {
  private readonly loading = new Map<string, Promise<T>>();
  private readonly cached: LRUCache<string, Promise<T>>;
  private readonly fresh = new CoalescedReads<T>();

  constructor(private readonly loads: Loads<K, T>) {
    this.cached = new LRUCache({ maxSize: loads.maxBytes });
  }

  get sized(): SizedCache {
    return this.cached;
  }

  get(key: K): Promise<T> {
    const name = this.loads.nameOf(key);
    if (!this.loads.mayCache()) return this.fresh.read(name, () => this.loads.load(key));
    return this.cached.get(name) ?? this.loading.get(name) ?? this.load(name, key);
  }

  /** The value has become heavier. */
  reweigh(key: K, value: T): void {
    const name = this.loads.nameOf(key);
    const known = this.cached.peek(name);
    if (!known) return;
    // Set again without deleting, it would keep its old size.
    this.cached.delete(name);
    this.keep(name, known, value);
  }

  delete(key: K): void {
    const name = this.loads.nameOf(key);
    this.loading.delete(name);
    this.cached.delete(name);
  }

  clear(): void {
    this.loading.clear();
    this.cached.clear();
  }

  private load(name: string, key: K): Promise<T> {
    const loading = this.loads.load(key);
    this.loading.set(name, loading);
    loading.then(
      (value) => this.ends(name, loading) && this.keep(name, loading, value),
      () => this.ends(name, loading),
    );
    return loading;
  }

  private keep(name: string, loaded: Promise<T>, value: T): void {
    const size = SIZE_OF_ENTRY + name.length + Math.ceil(this.loads.weigh(value));
    this.cached.set(name, loaded, { size });
  }

  private ends(name: string, loading: Promise<T>): boolean {
    return this.loading.get(name) === loading && this.loading.delete(name);
  }
}

/** The size of an entry beside its name and value. */
const SIZE_OF_ENTRY = 300;
