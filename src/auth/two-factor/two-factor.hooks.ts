import { HooksOf } from '../../collections';
import { InvalidPayload } from '../../common/errors';
import type {
  CollectionHooks,
  Key,
  Payload,
  UpdateContext,
  Values,
  WriteContext,
} from '../../repository';
import { User } from '../../users';
import { FORGET, PROTECTED } from './two-factor-sql';

const FIELD = 'tfa_secret';

/**
 * What is written to a user sets no secret. Null takes another's second factor away, where the caller holds all that the
 * other has (see `privileges`); their own goes by a code, as everybody's does.
 */
@HooksOf(User)
export class TwoFactorHooks implements CollectionHooks {
  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    { caller, tx }: UpdateContext,
  ): Promise<Payload> {
    if (payload[FIELD] !== null) return payload;
    // Null where there is none changes nothing: a form sends back what it has read.
    const losing = await tx.query<{ id: Key }>(PROTECTED, [keys]);
    if (losing.some(({ id }) => id === caller.user)) {
      const reason = 'of your own user is removed at /users/me/tfa/disable';
      throw new InvalidPayload({ field: FIELD, reason });
    }
    return payload;
  }

  /** By now it is known that their rules let the caller write the field. */
  toStored(values: Values): Values {
    if ((values.get(FIELD) ?? null) === null) return values;
    throw new InvalidPayload({ field: FIELD, reason: 'is set by two-factor authentication alone' });
  }

  async afterUpdate(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    await tx.query(FORGET, [keys]);
  }
}
