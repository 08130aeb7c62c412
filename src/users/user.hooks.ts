import type { CollectionHooks, Key, Payload, Values, WriteContext } from '../repository';
import { HooksOf } from '../collections';
import { type Caller, isNamed } from '../engine';
import type { Queries } from '../database';
import { FailedValidation, InvalidPayload } from '../common/errors';
import { isEmailAddress } from '../config/email-address';
import { PasswordRules } from './password-rules';
import { Passwords } from './passwords';
import { PreparedHashes } from './prepared-hashes';
import { User } from './user.entity';

/**
 * The most passwords in one request of somebody who is no administrator, including nested ones: each takes tens of
 * milliseconds of a processor.
 */
const MAX_PASSWORDS = 100;

const CONFIRM =
  'UPDATE service_users SET registered = false WHERE id = ANY($1::uuid[]) AND registered';

/** An address must be valid; a password is judged as sent and stored as its hash. */
@HooksOf(User)
export class UserHooks implements CollectionHooks {
  private readonly prepared: PreparedHashes;
  /** How many passwords a request has sent so far, in all its operations. */
  private readonly sent = new WeakMap<Caller['identity'], number>();
  /** By transaction, the users who are given a status for which their address counts as confirmed. */
  private readonly confirmed = new WeakMap<Queries, Set<Key>>();

  constructor(
    private readonly passwords: Passwords,
    private readonly rules: PasswordRules,
  ) {
    this.prepared = new PreparedHashes(passwords);
  }

  /** Passwords that the caller may not set, or that will be refused, are not hashed. */
  async prepare(payloads: readonly Payload[], caller: Caller): Promise<void> {
    if (!maySetPassword(caller)) return;
    const sent = payloads.map(({ password }) => password);
    const texts = sent.filter((each) => typeof each === 'string');
    if (!caller.administrator) this.count(texts.length, caller);
    await this.prepared.make(await this.rules.acceptable(texts), caller);
  }

  /** @throws InvalidPayload where the request has too many */
  private count(passwords: number, { identity }: Caller): void {
    const total = (this.sent.get(identity) ?? 0) + passwords;
    this.sent.set(identity, total);
    if (total <= MAX_PASSWORDS) return;
    const reason = `must not be set more than ${MAX_PASSWORDS} times in one request`;
    throw new InvalidPayload({ field: 'password', reason });
  }

  beforeCreate(payload: Payload): Payload {
    return withTags(payload);
  }

  beforeUpdate(payload: Payload, keys: readonly Key[], { tx }: WriteContext): Payload {
    const { status } = payload;
    if (typeof status === 'string' && status !== 'unverified') this.noteConfirmed(keys, tx);
    return withTags(payload);
  }

  /** Whoever is given another status is no longer only a registration, whatever their status is later. */
  async afterUpdate(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    const confirmed = keys.filter((key) => this.confirmed.get(tx)?.has(key));
    if (confirmed.length > 0) await tx.query(CONFIRM, [confirmed]);
  }

  private noteConfirmed(keys: readonly Key[], tx: Queries): void {
    const confirmed = this.confirmed.get(tx) ?? new Set();
    this.confirmed.set(tx, confirmed);
    for (const key of keys) confirmed.add(key);
  }

  async toStored(values: Values, context: WriteContext): Promise<Values> {
    const email = values.get('email');
    if (typeof email === 'string' && !isEmailAddress(email)) {
      throw new FailedValidation({ field: 'email', type: 'email' });
    }
    const password = values.get('password');
    if (typeof password !== 'string') return values;
    await this.rules.check(password, context.tx);
    const hash = this.prepared.take(password, context) ?? (await this.passwords.hash(password));
    return new Map(values).set('password', hash);
  }
}

/** Forms and typed clients send null for no tags. */
const withTags = (payload: Payload): Payload =>
  payload['tags'] === null ? { ...payload, tags: [] } : payload;

const maySetPassword = (caller: Caller): boolean =>
  (['create', 'update'] as const).some((action) => {
    const decision = caller.decide(action, 'service_users');
    return decision !== undefined && isNamed(decision, 'password');
  });
