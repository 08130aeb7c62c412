import { HooksOf } from '../collections';
import { Forbidden } from '../common/errors';
import type { CollectionHooks } from '../repository';
import { Activity } from './activity.entity';

/** No one writes the log in any way, not nested in other rows or by a team's code either. */
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
