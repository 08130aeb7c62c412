import { Resolver } from '@nestjs/graphql';
import { ReadingResolver } from '../graphql';
import { Activity } from './activity.entity';

/** The log of activity over GraphQL. */
@Resolver()
export class ActivityResolver extends ReadingResolver(Activity) {}
