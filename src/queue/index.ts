export { type Job, JobFault, type JobHandler, type QueueState, QueueTimes } from './job';
export { type NewJob, Queue } from './queue';
export { QueueModule } from './queue.module';
