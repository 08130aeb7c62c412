export { type Job, JobFault, type JobHandler, QueueTimes } from './job';
export { type JobTransaction, Queue } from './queue';
export { QueueModule } from './queue.module';
