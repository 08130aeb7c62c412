import { HooksOf } from '../collections';
import { isLinearPattern } from '../engine';
import { FailedValidation } from '../common/errors';
import type { CollectionHooks, Values } from '../repository';
import { Settings } from './settings.entity';

/** Settings that nobody could sign in or set a password under are refused. */
@HooksOf(Settings)
export class SettingsHooks implements CollectionHooks {
  toStored(values: Values): Values {
    const attempts = values.get('auth_login_attempts');
    if (typeof attempts === 'number' && attempts < 1) {
      throw new FailedValidation({ field: 'auth_login_attempts', type: 'gte', valid: 1 });
    }
    const policy = values.get('auth_password_policy');
    if (typeof policy === 'string' && !isLinearPattern(policy)) {
      throw new FailedValidation({ field: 'auth_password_policy', type: 'pattern' });
    }
    return values;
  }
}
