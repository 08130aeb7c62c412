import { LRUCache } from 'lru-cache';
import { CoalescedReads } from './coalesced-reads';
import type { SizedCache } from './metrics/metrics';

interface Loads<K, T> {
  /** Of what may be asked for; what has the same name is the same. */
  nameOf(key: K): string;
  load(key: K): Promise<T>;
  /** About how many bytes of memory a value keeps. */
  weigh(value: T): number;
  /** Bytes that all of them may keep. */
  readonly room: number;
  /** Whether changes are received, so that what was loaded may be kept until one says otherwise. */
  mayCache(): boolean;
}

/**
 * What was loaded, kept for as long as there is room: counted in bytes, since one may be a thousand times as large as
 * another. Whoever asks while it is being loaded shares that; a load that failed, or that was dropped meanwhile, is not
 * kept, nor is what is larger than all the room. While nothing may be kept, everybody gets what a read shows that began
 * after they asked.
 */
export class LoadCache<K, T> {
  private readonly loading = new Map<string, Promise<T>>();
  private readonly cached: LRUCache<string, Promise<T>>;
  private readonly fresh = new CoalescedReads<T>();

  constructor(private readonly loads: Loads<K, T>) {
    this.cached = new LRUCache({ maxSize: loads.room });
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
    // Set again alone, it would keep its old size.
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
    const size = OVERHEAD + name.length + Math.ceil(this.loads.weigh(value));
    this.cached.set(name, loaded, { size });
  }

  private ends(name: string, loading: Promise<T>): boolean {
    return this.loading.get(name) === loading && this.loading.delete(name);
  }
}

/** Of an entry, beside what it holds. */
const OVERHEAD = 300;
