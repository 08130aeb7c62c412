import type { CollectionHooks, Values, WriteContext } from '../repository';
import { HooksOf } from '../collections';
import { FailedValidation } from '../common/errors';
import { isEmailAddress } from '../config/email-address';
import { PasswordRules } from './password-rules';
import { Passwords } from './passwords';
import { User } from './user.entity';

/** An address must be one; a password is judged as it was sent and stored as its hash. */
@HooksOf(User)
export class UserHooks implements CollectionHooks {
  constructor(
    private readonly passwords: Passwords,
    private readonly rules: PasswordRules,
  ) {}

  async toStored(values: Values, { tx }: WriteContext): Promise<Values> {
    const email = values.get('email');
    if (typeof email === 'string' && !isEmailAddress(email)) {
      throw new FailedValidation({ field: 'email', type: 'email' });
    }
    const password = values.get('password');
    if (typeof password !== 'string') return values;
    await this.rules.judge(password, tx);
    return new Map(values).set('password', await this.passwords.hash(password));
  }
}
