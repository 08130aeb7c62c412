import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { CoalescedReads } from '../coalesced-reads';

/** What keeps things in memory up to a number of bytes; an `LRUCache` with a `maxSize` is one. */
export interface SizedCache {
  /** Entries. */
  readonly size: number;
  /** Bytes, as the cache estimates them. */
  readonly calculatedSize: number;
}

interface Metric {
  /** `counter`: it only grows while the process lives. */
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Sets the value of one combination of labels. */
type Report = (value: number, labels?: Readonly<Record<string, string>>) => void;

/**
 * What an operator watches, in Prometheus's text format. Each application has a registry of its own, since several may
 * share a process.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly scrapes = new CoalescedReads<string>();
  private readonly caches = new Map<string, readonly SizedCache[]>();

  constructor() {
    this.addOfCaches('doorward_cache_entries', 'Entries in a cache', 'size');
    this.addOfCaches('doorward_cache_bytes', 'Estimated bytes in a cache', 'calculatedSize');
  }

  /** Called while the application starts; caches of one name are added up. */
  addCache(name: string, ...caches: readonly SizedCache[]): void {
    this.caches.set(name, [...(this.caches.get(name) ?? []), ...caches]);
  }

  /**
   * A metric whose values are read whenever somebody asks for them. If they cannot be read, it is left out and the
   * others are still told.
   */
  add(metric: Metric, read: (report: Report) => void | Promise<void>): void {
    const { kind, name, help, labels: labelNames = [] } = metric;
    const collect = async (): Promise<void> => {
      made.reset();
      try {
        await read((value, labels = {}) => made.inc(labels, value));
      } catch {
        made.reset();
      }
    };
    const options = { name, help, labelNames, registers: [this.registry], collect };
    const made = kind === 'counter' ? new Counter(options) : new Gauge(options);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All of them. However many ask at once, each value is read once. */
  text(): Promise<string> {
    return this.scrapes.read('', () => this.registry.metrics());
  }

  private addOfCaches(name: string, help: string, key: keyof SizedCache): void {
    this.add({ kind: 'gauge', name, help, labels: ['cache'] }, (report) => {
      for (const [cache, parts] of this.caches) {
        report(
          parts.reduce((sum, part) => sum + part[key], 0),
          { cache },
        );
      }
    });
  }
}
