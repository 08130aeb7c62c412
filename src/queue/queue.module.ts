import { Module } from '@nestjs/common';
import { provideSchema } from '../database';
import { provideSealedColumn } from '../secrets';
import { JobRow } from './job.entity';
import { JOB_PURPOSE, QueueTimes } from './job';
import { Queue } from './queue';
import { QueueMetrics } from './queue-metrics';

@Module({
  providers: [
    provideSchema({ entities: [JobRow] }),
    provideSealedColumn({
      table: 'service_jobs',
      column: 'content',
      boundTo: 'id',
      purpose: JOB_PURPOSE,
      whenLost: 'delete',
    }),
    QueueTimes,
    Queue,
    QueueMetrics,
  ],
  exports: [Queue],
})
export class QueueModule {}
