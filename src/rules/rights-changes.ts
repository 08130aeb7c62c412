import type { Broadcast } from '../database';

export interface RightsListener {
  /** Rules, policies, access rows or roles have changed: anybody's rights may have. */
  forgetRights(): void;
  /** One user's own row, or their sessions, have changed. */
  forgetUser(user: string): void;
  /** Anything may have changed. */
  forgetAll(): void;
}

/** Words of a message, which triggers of the database write; every other word is the id of a user. */
const ANY_RIGHTS = '*rights';
const ANYTHING = '*';

/**
 * Tells everything that is held in memory, on every instance, what has changed, by whatever SQL. What a transaction of
 * the service changed is told before the writer is answered.
 *
 * What is held is right because a message arrives after the change that it tells of can be read: whatever was read
 * before, or is being read in this moment, is dropped on its arrival; whatever is read from then on shows the change.
 */
export class RightsChanges {
  private readonly listeners: RightsListener[] = [];

  constructor(private readonly broadcast: Pick<Broadcast, 'current' | 'listen'>) {
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
