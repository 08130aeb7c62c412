import { HooksOf } from '../../collections';
import { InvalidPayload } from '../../common/errors';
import type {
  CollectionHooks,
  Key,
  LookUp,
  Payload,
  UpdateContext,
  Values,
  WriteContext,
} from '../../repository';
import { User } from '../../users';
import { FORGET, PROTECTED } from './two-factor-sql';

const FIELD = 'tfa_secret';

const protectedUsers: LookUp<ReadonlySet<Key>> = async (keys, { tx }) =>
  new Set((await tx.query<{ id: Key }>(PROTECTED, [keys])).map(({ id }) => id));

/**
 * Writes to users cannot set a secret. Null removes another user's second factor, where the caller holds all that the
 * other has (see `privileges`); the caller's own requires a code.
 */
@HooksOf(User)
export class TwoFactorHooks implements CollectionHooks {
  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    { caller, once }: UpdateContext,
  ): Promise<Payload> {
    if (payload[FIELD] !== null) return payload;
    // Null without a second factor changes nothing: a form sends back what it has read.
    const losing = await once(protectedUsers);
    if (caller.user !== null && keys.includes(caller.user) && losing.has(caller.user)) {
      const reason = 'of your own user can only be removed at /users/me/tfa/disable';
      throw new InvalidPayload({ field: FIELD, reason });
    }
    return payload;
  }

  /** The rules have been checked by now: they let the caller write the field. */
  toStored(values: Values): Values {
    if ((values.get(FIELD) ?? null) === null) return values;
    throw new InvalidPayload({
      field: FIELD,
      reason: 'can only be set by two-factor authentication',
    });
  }

  async afterUpdate(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    await tx.query(FORGET, [keys]);
  }
}
