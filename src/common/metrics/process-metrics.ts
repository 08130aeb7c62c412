import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Metrics } from './metrics';

/** Milliseconds between two samples of the event loop. A later sample means that the loop lagged. */
const RESOLUTION = 20;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;
const QUANTILES = [0.5, 0.9, 0.99];

/**
 * The memory, CPU time and event-loop lag of the process. The default metrics of prom-client cannot be stopped, and
 * would stay behind in a process that starts several applications.
 */
@Injectable()
export class ProcessMetrics implements OnApplicationShutdown {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION });

  constructor(private readonly metrics: Metrics) {
    this.delay.enable();
    this.addEventLoop();
    this.addMemory('process_resident_memory_bytes', 'Resident memory', 'rss');
    this.addMemory('nodejs_heap_size_used_bytes', 'Used heap', 'heapUsed');
    this.addMemory('nodejs_external_memory_bytes', 'Memory outside the heap', 'external');
    const cpu = { name: 'process_cpu_seconds_total', help: 'CPU time, of user and system' };
    metrics.add({ kind: 'counter', ...cpu }, (report) => {
      const { user, system } = process.cpuUsage();
      report((user + system) / MICROSECONDS);
    });
  }

  onApplicationShutdown(): void {
    this.delay.disable();
  }

  private addMemory(name: string, help: string, key: 'rss' | 'heapUsed' | 'external'): void {
    this.metrics.add({ kind: 'gauge', name, help }, (report) => report(process.memoryUsage()[key]));
  }

  private addEventLoop(): void {
    const name = 'doorward_event_loop_lag_seconds';
    const help = 'Lag of the event loop since the last scrape; quantile 1 is the longest';
    this.metrics.add({ kind: 'gauge', name, help, labels: ['quantile'] }, (report) => {
      const { delay } = this;
      for (const quantile of QUANTILES) {
        report(lag(delay.percentile(quantile * 100)), { quantile: String(quantile) });
      }
      report(lag(delay.max), { quantile: '1' });
      delay.reset();
    });
  }
}

/**
 * The lag in seconds.
 * @param between nanoseconds between two samples; 0 where there were none since the last scrape
 */
const lag = (between: number): number => Math.max(0, between / NANOSECONDS - RESOLUTION / 1_000);
