import { Broadcast, LocalBroadcast, LONGEST_MESSAGE } from '../database/broadcast/broadcast';
import type { Tx } from '../database/database';

/** A write that may change what somebody is allowed. */
export interface RightsChange {
  readonly collection: string;
  readonly keys: readonly (string | number)[];
}

export interface RightsListener {
  /** Rules, policies, access rows or roles have changed: anybody's rights may have. */
  forgetRights(): void;
  /** One user's own row, or their sessions, have changed. */
  forgetUser(user: string): void;
  /** Anything may have changed. */
  forgetAll(): void;
}

const RIGHTS: ReadonlySet<string> = new Set([
  'service_permissions',
  'service_policies',
  'service_access',
  'service_roles',
]);

/** Words of a message; every other word is the id of a user. */
const ANY_RIGHTS = '*rights';
const ANYTHING = '*';

/**
 * Tells everything that is held in memory, on every instance, what has changed, before the writer is answered.
 *
 * What is held is right because a message arrives after the change that it tells of can be read: whatever was read
 * before, or is being read in this moment, is dropped on its arrival; whatever is read from then on shows the change.
 */
export class RightsChanges {
  private readonly listeners: RightsListener[] = [];

  constructor(private readonly broadcast: Broadcast = new LocalBroadcast()) {
    broadcast.listen({
      hears: (message) => this.hear(message),
      missed: () => this.forgetAll(),
    });
  }

  /** Whether what is held may be used: not while changes by other instances go unheard. */
  get mayHold(): boolean {
    return this.broadcast.current;
  }

  listen(listener: RightsListener): void {
    this.listeners.push(listener);
  }

  /** Tells of what the transaction changed, with its commit. */
  publish(tx: Tx, changes: readonly RightsChange[]): void {
    const message = describe(changes);
    if (message !== '') this.broadcast.say(tx, message);
  }

  /** Tells this instance alone of changes that are committed already. */
  announce(changes: readonly RightsChange[]): void {
    this.hear(describe(changes));
  }

  private hear(message: string): void {
    const words = message.split(' ').filter((word) => word !== '');
    if (words.includes(ANYTHING)) return this.forgetAll();
    for (const listener of this.listeners) {
      for (const word of words) {
        if (word === ANY_RIGHTS) listener.forgetRights();
        else listener.forgetUser(word);
      }
    }
  }

  private forgetAll(): void {
    for (const listener of this.listeners) listener.forgetAll();
  }
}

/** @returns nothing said where nobody's rights are touched; where there is too much to name, that anything may be */
function describe(changes: readonly RightsChange[]): string {
  const rights = changes.some(({ collection }) => RIGHTS.has(collection)) ? [ANY_RIGHTS] : [];
  const users = changes
    .filter(({ collection }) => collection === 'service_users')
    .flatMap(({ keys }) => keys.map(String));
  const message = [...rights, ...new Set(users)].join(' ');
  return Buffer.byteLength(message) > LONGEST_MESSAGE ? ANYTHING : message;
}
