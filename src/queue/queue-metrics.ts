import { Injectable, type OnModuleInit } from '@nestjs/common';
import { withDatabaseTimeout } from '../common/database-timeout';
import { Metrics } from '../common/metrics/metrics';
import { Queue } from './queue';

const JOBS = {
  kind: 'gauge',
  name: 'doorward_jobs',
  help: 'Jobs in each queue, of all instances, and how many of them failed before',
  labels: ['queue', 'state'],
} as const;

/** Reports the backlog of every queue. */
@Injectable()
export class QueueMetrics implements OnModuleInit {
  constructor(
    private readonly queue: Queue,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.add(JOBS, async (report) => {
      for (const { queue, waiting, failing } of await withDatabaseTimeout(this.queue.backlog())) {
        report(waiting, { queue, state: 'waiting' });
        report(failing, { queue, state: 'failing' });
      }
    });
  }
}
