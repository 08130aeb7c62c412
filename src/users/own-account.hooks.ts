import { HooksOf } from '../collections';
import { InvalidPayload, throwIfAny } from '../common/errors';
import { readInput } from '../common/request/read-input';
import { type Caller, isNamed } from '../engine';
import { Database, type Queries } from '../database';
import type { CollectionHooks, Key, Payload, UpdateContext, WriteContext } from '../repository';
import { PasswordRules } from './password-rules';
import { proofMissing, Reauthentication, ReauthenticationInput } from './reauthentication';
import { User } from './user.entity';

interface Stored {
  readonly email: string | null;
  readonly provider: string;
}

const STORED = 'SELECT email, provider FROM service_users WHERE id = $1::uuid';

/** What users need to sign in here. */
const NEEDED = ['email', 'password'] as const;

/**
 * A session alone is not enough to change one's own password or e-mail, or delete one's own user: the payload needs
 * `current_password` or `otp` as well. The proof is checked before the transaction, so that a wrong one counts whatever
 * becomes of the update; the transaction checks that the caller has not been signed out since.
 */
@HooksOf(User)
export class OwnAccountHooks implements CollectionHooks {
  /** Callers who have proven themselves for the update that was prepared last. */
  private readonly proven = new WeakSet<Caller>();
  /** Callers who have proven themselves and are deleting their own user. */
  private readonly deleting = new WeakSet<Caller>();

  constructor(
    private readonly reauthentication: Reauthentication,
    private readonly database: Database,
    private readonly rules: PasswordRules,
  ) {}

  async prepareUpdate(payload: Payload, key: Key, caller: Caller): Promise<Payload> {
    this.proven.delete(caller);
    if (!isOwn([key], caller)) return payload;
    const { current_password, otp, ...fields } = payload;
    const given = Object.fromEntries(
      Object.entries({ current_password, otp }).filter(
        ([, value]) => value !== undefined && value !== null,
      ),
    );
    const isGiven = Object.keys(given).length > 0;
    await refuseLockedOut(fields, caller, this.database);
    const changed = await changedCredential(fields, caller, this.database);
    if (isGiven || changed !== undefined) {
      if (isGiven) await this.checkPassword(fields, caller);
      await this.reauthentication.check(caller, readInput(ReauthenticationInput, given));
      this.proven.add(caller);
    }
    return fields;
  }

  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    { caller, prepared, tx }: UpdateContext,
  ): Promise<Payload> {
    if (!isOwn(keys, caller)) return payload;
    const field = await changedCredential(payload, caller, tx);
    if (field === undefined) return payload;
    if (!prepared) {
      const reason =
        'of your own user can only be changed by an update of that user alone, such as at /users/me';
      throw new InvalidPayload({ field, reason });
    }
    // The stored e-mail may have become another one since the update was prepared.
    if (!this.proven.has(caller)) throw proofMissing();
    await this.reauthentication.confirm(caller, tx);
    return payload;
  }

  async beforeDelete(keys: readonly Key[], { caller, tx }: WriteContext): Promise<void> {
    if (!isOwn(keys, caller)) return;
    if (this.deleting.has(caller)) return this.reauthentication.confirm(caller, tx);
    const reason = 'is missing: you can delete your own user only at /users/me';
    throw new InvalidPayload({ field: 'current_password', reason });
  }

  /**
   * Deletes the caller's own user, once they have proven themselves.
   * @param remove deletes it as an item, under the rules
   * @throws as `Reauthentication.check` does, and whatever `remove` throws
   */
  async deleteOwn(
    caller: Caller,
    credentials: ReauthenticationInput,
    remove: () => Promise<void>,
  ): Promise<void> {
    await this.reauthentication.check(caller, credentials);
    this.deleting.add(caller);
    try {
      await remove();
    } finally {
      this.deleting.delete(caller);
    }
  }

  /** Called before the proof, so that a password which is refused anyway does not use up a one-time password. */
  private async checkPassword(payload: Payload, caller: Caller): Promise<void> {
    const { password } = payload;
    if (!sets(payload, 'password', caller) || typeof password !== 'string') return;
    await this.rules.check(password);
  }
}

const isOwn = (keys: readonly Key[], { user }: Caller): boolean =>
  user !== null && keys.includes(user);

/** Whether the payload has the field, and the caller may write it. */
function sets(payload: Payload, field: string, caller: Caller): boolean {
  const decision = caller.decide('update', 'service_users');
  return Object.hasOwn(payload, field) && decision !== undefined && isNamed(decision, field);
}

const presetEmails = (caller: Caller): unknown[] =>
  (caller.decide('update', 'service_users')?.cases ?? []).flatMap(({ presets }) =>
    presets.has('email') ? [presets.get('email')] : [],
  );

/**
 * A change of password or e-mail takes the account over. An e-mail sent back unchanged is no change, and a field that
 * the caller may not write is refused like a missing one. What a rule presets counts too: somebody who may write rules
 * could change it by any update. A rule cannot preset the password.
 * @returns the first of the two fields that is changed; undefined where neither is
 */
async function changedCredential(
  payload: Payload,
  caller: Caller,
  queries: Queries,
): Promise<string | undefined> {
  if (sets(payload, 'password', caller)) return 'password';
  const emails = presetEmails(caller);
  if (sets(payload, 'email', caller)) emails.push(payload['email']);
  if (emails.length === 0) return undefined;
  const stored = await storedOf(caller, queries);
  return emails.every((email) => email === stored?.email) ? undefined : 'email';
}

async function storedOf({ user }: Caller, queries: Queries): Promise<Stored | undefined> {
  const [stored] = await queries.query<Stored>(STORED, [user]);
  return stored;
}

/**
 * Without either of the two, a user of no provider could not sign in again, nor prove who they are to undo it.
 * @throws InvalidPayload
 */
async function refuseLockedOut(payload: Payload, caller: Caller, queries: Queries): Promise<void> {
  const emptied = NEEDED.filter((field) => payload[field] === null && sets(payload, field, caller));
  if (emptied.length === 0) return;
  const stored = await storedOf(caller, queries);
  const provider = sets(payload, 'provider', caller) ? payload['provider'] : stored?.provider;
  if (provider !== 'default') return;
  const lost = emptied.filter((field) => field === 'password' || stored?.email !== null);
  const reason = 'must not be null, since you need it to sign in';
  throwIfAny(lost.map((field) => new InvalidPayload({ field, reason })));
}
