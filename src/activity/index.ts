export { ActivityLog } from './activity-log';
export { type Actor, actorOf, actorOfRequest } from './actor';
export { ActivityModule } from './activity.module';
