import { Controller } from '@nestjs/common';
import { ReadingController } from '../collections';
import { Activity } from './activity.entity';

/** The log of activity, read-only. */
@Controller('activity')
export class ActivityController extends ReadingController(Activity) {}
