import { HooksOf } from '../collections';
import { Forbidden } from '../common/errors';
import type { CollectionHooks } from '../repository';
import { Activity } from './activity.entity';

/** Whatever way leads to it, also nested in other rows or by code of a team's: nobody writes the log. */
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
