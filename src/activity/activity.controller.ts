import { Controller } from '@nestjs/common';
import { ReadingController } from '../collections';
import { Activity } from './activity.entity';

/** What was done, for reading. */
@Controller('activity')
export class ActivityController extends ReadingController(Activity) {}
