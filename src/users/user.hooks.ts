import {
  type CollectionHooks,
  HooksOf,
  type Key,
  type Payload,
  type Values,
  type WriteContext,
} from '../collections';
import { FailedValidation } from '../common/errors';
import { isEmailAddress } from '../config/email-address';
import { endSessions } from './end-sessions';
import { refuseWeak } from './password-strength';
import { Passwords } from './passwords';
import { User } from './user.entity';

/** An address must be one; a password is judged as it was sent and stored as its hash. */
@HooksOf(User)
export class UserHooks implements CollectionHooks {
  constructor(private readonly passwords: Passwords) {}

  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    { who, tx }: WriteContext,
  ): Promise<Payload> {
    if (Object.hasOwn(payload, 'password')) await endSessions(tx, keys, who.identity.session);
    const inactive = Object.hasOwn(payload, 'status') && payload['status'] !== 'active';
    if (inactive) await endSessions(tx, keys, null);
    return payload;
  }

  async toStored(values: Values): Promise<Values> {
    const email = values.get('email');
    if (typeof email === 'string' && !isEmailAddress(email)) {
      throw new FailedValidation({ field: 'email', type: 'email' });
    }
    const password = values.get('password');
    if (typeof password !== 'string') return values;
    refuseWeak(password);
    return new Map(values).set('password', await this.passwords.hash(password));
  }
}
