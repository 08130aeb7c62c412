import { LRUCache } from 'lru-cache';
import { CoalescedReads } from '../common/coalesced-reads';
import type { SizedCache } from '../common/metrics/metrics';

interface CacheOptions<T> {
  /** Bytes that the cache may use. */
  readonly maxBytes: number;
  /** Whether changes are received, so that values may be cached until one arrives. */
  mayCache(): boolean;
  /** Roughly how many bytes a value uses. */
  bytesOf(value: T): number;
}

interface Entry<T> {
  readonly value: Promise<T>;
  bytes: number;
}

type Entries<T> = Map<string, Entry<T>>;

const BYTES_OF_USER = 600;
const BYTES_OF_ENTRY = 400;
/** Per user. */
const MAX_ENTRIES = 100;

/**
 * Caches values of users, each under a name of its own: dropped as soon as anything of their user changes, together
 * with running look-ups. A failed look-up is not cached.
 */
export class UserCache<T> {
  private readonly users: LRUCache<string, Entries<T>>;
  private readonly fresh = new CoalescedReads<T>();

  constructor(private readonly options: CacheOptions<T>) {
    this.users = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: (entries) =>
        [...entries.values()].reduce(
          (sum, { bytes }) => sum + BYTES_OF_ENTRY + bytes,
          BYTES_OF_USER,
        ),
    });
  }

  get sized(): SizedCache {
    return this.users;
  }

  get(user: string, name: string, find: () => Promise<T>): Promise<T> {
    if (!this.options.mayCache()) return this.fresh.read(`${user} ${name}`, find);
    return this.users.get(user)?.get(name)?.value ?? this.load(user, name, find);
  }

  /** Looks up again a value that has expired. */
  renew(user: string, name: string, find: () => Promise<T>): Promise<T> {
    return this.options.mayCache() ? this.load(user, name, find) : this.get(user, name, find);
  }

  delete(user: string): void {
    this.users.delete(user);
  }

  clear(): void {
    this.users.clear();
  }

  private load(user: string, name: string, find: () => Promise<T>): Promise<T> {
    const entries: Entries<T> = this.users.get(user) ?? new Map();
    const [oldest] = entries.size < MAX_ENTRIES ? [] : entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
    const entry: Entry<T> = { value: find(), bytes: 0 };
    entries.set(name, entry);
    this.keep(user, entries);
    entry.value.then(
      (value) => this.measure(user, entries, entry, value),
      () => entries.get(name) === entry && entries.delete(name),
    );
    return entry.value;
  }

  private measure(user: string, entries: Entries<T>, entry: Entry<T>, value: T): void {
    entry.bytes = this.options.bytesOf(value);
    // Entries dropped meanwhile stay dropped.
    if (entry.bytes > 0 && this.users.peek(user) === entries) this.keep(user, entries);
  }

  /** Set again without deleting, they would keep their old size. */
  private keep(user: string, entries: Entries<T>): void {
    this.users.delete(user);
    this.users.set(user, entries);
  }
}
