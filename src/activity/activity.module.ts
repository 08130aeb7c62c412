import { Module } from '@nestjs/common';
import { serviceCollections } from '../collections';
import { ActivityLog } from './activity-log';
import { ActivityController } from './activity.controller';
import { Activity } from './activity.entity';
import { ActivityHooks } from './activity.hooks';
import { ActivityRecorder } from './activity-recorder';
import { ActivityRetention } from './activity-retention';
import { ActivityResolver } from './activity.resolver';

@Module({
  imports: [serviceCollections([Activity], { routes: false })],
  controllers: [ActivityController],
  providers: [ActivityLog, ActivityHooks, ActivityRecorder, ActivityRetention, ActivityResolver],
  exports: [ActivityLog],
})
export class ActivityModule {}
