export { type Job, JobFault, type JobHandler, QueueTimes } from './job';
export { Queue } from './queue';
export { QueueModule } from './queue.module';
