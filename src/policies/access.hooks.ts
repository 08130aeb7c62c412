import type { CollectionHooks, Values } from '../repository';
import { HooksOf } from '../collections';
import { FailedValidation } from '../common/errors';
import { Access } from './access.entity';

/** The database refuses a user and a role in one row too, but its error would name no field. */
@HooksOf(Access)
export class AccessHooks implements CollectionHooks {
  toStored(values: Values): Values {
    const bearers = ['user', 'role'].filter((field) => (values.get(field) ?? null) !== null);
    if (bearers.length > 1) throw new FailedValidation({ field: 'role', type: 'null' });
    return values;
  }
}
