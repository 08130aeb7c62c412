import type { Broadcast } from '../database';

export interface RightsSubscriber {
  /** Rules, policies, access rows or roles have changed: anybody's rights may have. */
  onRightsChanged(): void;
  /** One user's own row, or their sessions, have changed. */
  onUserChanged(user: string): void;
  /** Anything may have changed. */
  onGap(): void;
}

/** Words of a message, which triggers of the database write; every other word is the id of a user. */
const ANY_RIGHTS = '*rights';
const ANYTHING = '*';

/**
 * Tells every cache, on every instance, what has changed, by whatever SQL. What a transaction of
 * the service changed is published before the writer is answered.
 *
 * A cache is right because a message arrives after the change that it announces can be read: whatever was read
 * before, or is being read in this moment, is dropped on its arrival; whatever is read from then on shows the change.
 */
export class RightsChanges {
  private readonly subscribers: RightsSubscriber[] = [];

  constructor(private readonly broadcast: Pick<Broadcast, 'current' | 'subscribe'>) {
    broadcast.subscribe({
      onMessage: (message) => this.receive(message),
      onGap: () => this.publishGap(),
    });
  }

  /** Whether caches may be used: not while changes by other instances are not received. */
  get mayCache(): boolean {
    return this.broadcast.current;
  }

  subscribe(subscriber: RightsSubscriber): void {
    this.subscribers.push(subscriber);
  }

  private receive(message: string): void {
    const words = message.split(' ').filter((word) => word !== '');
    if (words.includes(ANYTHING)) return this.publishGap();
    for (const subscriber of this.subscribers) {
      for (const word of words) {
        if (word === ANY_RIGHTS) subscriber.onRightsChanged();
        else subscriber.onUserChanged(word);
      }
    }
  }

  private publishGap(): void {
    for (const subscriber of this.subscribers) subscriber.onGap();
  }
}
