import { HooksOf } from '../collections';
import { Forbidden } from '../common/errors';
import type { CollectionHooks } from '../repository';
import { Activity } from './activity.entity';

/** Refuses all writes to the log, also nested in other rows and by a team's code. */
@HooksOf(Activity)
export class ActivityHooks implements CollectionHooks {
  beforeCreate(): never {
    throw new Forbidden({});
  }

  beforeUpdate(): never {
    throw new Forbidden({});
  }

  beforeDelete(): never {
    throw new Forbidden({});
  }
}
