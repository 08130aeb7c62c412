import { HooksOf } from '../collections';
import type { Queries } from '../database';
import type { CollectionHooks, Key, Payload, WriteContext } from '../repository';
import { User } from '../users';
import { END_ALL, IDENTITIES, INACTIVE } from './session-sql';
import { END_TOKENS } from './static-tokens/static-token-sql';

/**
 * A user whose password is changed, who is to sign in elsewhere, or who is no longer active, is signed out, and their
 * static tokens end, whoever changed them.
 */
@HooksOf(User)
export class UserSessionsHooks implements CollectionHooks {
  /** The users whose passwords a transaction sets. */
  private readonly renewed = new WeakMap<Queries, Set<Key>>();

  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    { tx }: WriteContext,
  ): Promise<Payload> {
    const moved = await movedBy(payload, keys, tx);
    if (moved.length > 0) await this.end(tx, moved, null);
    if (!Object.hasOwn(payload, 'password')) return payload;
    const users = this.renewed.get(tx) ?? new Set();
    for (const key of keys) users.add(key);
    this.renewed.set(tx, users);
    return payload;
  }

  /**
   * The rows are locked: a sign-in that has checked the old password waits for them, and finds it changed. Access
   * tokens end too, since caches of sessions are notified of the change.
   */
  async afterUpdate(keys: readonly Key[], { caller, tx }: WriteContext): Promise<void> {
    const renewed = keys.filter((key) => this.renewed.get(tx)?.has(key));
    // The session in which a user changes their own password stays.
    if (renewed.length > 0) await this.end(tx, renewed, caller.identity.session);
    const inactive = await tx.query<{ id: Key }>(INACTIVE, [keys]);
    if (inactive.length > 0)
      await this.end(
        tx,
        inactive.map(({ id }) => id),
        null,
      );
  }

  private async end(tx: Queries, users: readonly Key[], except: string | null): Promise<void> {
    await tx.query(END_ALL, [users, except]);
    await tx.query(END_TOKENS, [users]);
  }
}

const WHERE = ['provider', 'external_identifier'] as const;

/** Those who would sign in elsewhere, or as somebody else there. Compared here: what was sent is not checked yet. */
async function movedBy(payload: Payload, keys: readonly Key[], tx: Queries): Promise<Key[]> {
  const sent = WHERE.filter((field) => Object.hasOwn(payload, field));
  if (sent.length === 0) return [];
  const found = await tx.query<{ id: Key } & Payload>(IDENTITIES, [keys]);
  return found
    .filter((user) => sent.some((field) => user[field] !== payload[field]))
    .map(({ id }) => id);
}
