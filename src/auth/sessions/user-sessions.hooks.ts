import { HooksOf } from '../../collections';
import { valuesAt } from '../../common/values-at';
import type { Queries } from '../../database';
import type { CollectionHooks, Key, LookUp, Payload, WriteContext } from '../../repository';
import { User } from '../../users';
import { END_OTHERS, IDENTITIES, INACTIVE } from './session-sql';
import { END_TOKENS } from '../static-tokens/static-token-sql';

/**
 * A user whose password is changed, who is to sign in elsewhere, or who is no longer active, is signed out, and their
 * static tokens end, whoever changed them.
 */
@HooksOf(User)
export class UserSessionsHooks implements CollectionHooks {
  /** By transaction, the users who get a new password, or another identity to sign in with. */
  private readonly changed = new WeakMap<Queries, Map<Key, 'renewed' | 'moved'>>();

  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    { tx, once }: WriteContext,
  ): Promise<Payload> {
    const sent = IDENTITY_FIELDS.filter((field) => Object.hasOwn(payload, field));
    const moved =
      sent.length === 0 ? [] : movedBy(payload, sent, valuesAt(await once(identities), keys));
    const renewed = Object.hasOwn(payload, 'password') ? keys : [];
    if (moved.length === 0 && renewed.length === 0) return payload;
    const users = this.changed.get(tx) ?? new Map<Key, 'renewed' | 'moved'>();
    for (const key of renewed) if (!users.has(key)) users.set(key, 'renewed');
    for (const key of moved) users.set(key, 'moved');
    this.changed.set(tx, users);
    return payload;
  }

  /**
   * The rows are locked: a sign-in that has checked the old password waits for them, and finds it changed. Access
   * tokens end too, since caches of sessions are notified of the change.
   */
  async afterUpdate(keys: readonly Key[], { caller, tx }: WriteContext): Promise<void> {
    const users = this.changed.get(tx);
    const renewed = keys.filter((key) => users?.get(key) === 'renewed');
    // The session in which a user changes their own password stays.
    await this.end(tx, renewed, caller.identity.session);
    const moved = keys.filter((key) => users?.get(key) === 'moved');
    const inactive = await tx.query<{ id: Key }>(INACTIVE, [keys]);
    await this.end(tx, [...moved, ...inactive.map(({ id }) => id)], null);
  }

  private async end(tx: Queries, users: readonly Key[], except: string | null): Promise<void> {
    if (users.length === 0) return;
    await tx.query(END_OTHERS, [users, except]);
    await tx.query(END_TOKENS, [users]);
  }
}

/** The fields that say where a user signs in, and as whom there. */
const IDENTITY_FIELDS = ['provider', 'external_identifier'] as const;

type Identity = { readonly id: Key } & Readonly<
  Record<(typeof IDENTITY_FIELDS)[number], string | null>
>;

const identities: LookUp<ReadonlyMap<Key, Identity>> = async (keys, { tx }) =>
  new Map((await tx.query<Identity>(IDENTITIES, [keys])).map((user) => [user.id, user]));

/** Those who would sign in elsewhere, or as somebody else there. Compared here: what was sent is not checked yet. */
const movedBy = (
  payload: Payload,
  sent: readonly (keyof Identity)[],
  users: readonly Identity[],
): Key[] =>
  users.filter((user) => sent.some((field) => user[field] !== payload[field])).map(({ id }) => id);
