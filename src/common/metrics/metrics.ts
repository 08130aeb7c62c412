import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { CoalescedReads } from '../coalesced-reads';

/** Anything that keeps entries in memory up to a number of bytes; an `LRUCache` with a `maxSize` is one. */
export interface SizedCache {
  /** The number of entries. */
  readonly size: number;
  /** The bytes of all entries, as the cache estimates them. */
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
 * The metrics of `/metrics`, in Prometheus's text format. Inject it to add your own:
 *
 *     metrics.add({ kind: 'gauge', name: 'invoices_open', help: 'Open invoices' }, async (report) => report(await count()));
 *
 * Each application has a registry of its own, since several may share a process.
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

  /** Adds a cache to the metrics `doorward_cache_entries` and `doorward_cache_bytes`; caches of one name are summed. */
  addCache(name: string, ...caches: readonly SizedCache[]): void {
    this.caches.set(name, [...(this.caches.get(name) ?? []), ...caches]);
  }

  /**
   * Adds a metric whose values are read at each scrape. Where `read` throws, or reports an invalid value or an unknown
   * label, the metric is left out of that scrape; one without labels is 0.
   * @param read calls its argument for each combination of labels: `report(3, { queue: 'mail' })`
   */
  add(metric: Metric, read: (report: Report) => void | Promise<void>): void {
    const { kind, name, help, labels: labelNames = [] } = metric;
    const collect = async (): Promise<void> => {
      const reports: Parameters<Report>[] = [];
      try {
        await read((...report) => void reports.push(report));
        // At once, since several may read at a time: a host's registry does not share one reading.
        made.reset();
        for (const [value, labels = {}] of reports) made.inc(labels, value);
      } catch {
        made.reset();
      }
    };
    const options = { name, help, labelNames, registers: [this.registry], collect };
    const made = kind === 'counter' ? new Counter(options) : new Gauge(options);
  }

  /** The media type of `text()`. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics as text. Requests at the same time share one reading. */
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
