import type { Broadcast } from '../database';

/** Something that caches rights or sessions, and must drop them when they change. */
export interface RightsSubscriber {
  /** Rules, policies, access rows or roles have changed, so any user's rights may have. */
  onRightsChanged(): void;
  /** One user's own row, or their sessions, have changed. */
  onUserChanged(user: string): void;
  /** Anything may have changed. */
  onGap(): void;
}

/** Words of the messages that database triggers write; every other word is the id of a user. */
const ANY_RIGHTS = '*rights';
const ANYTHING = '*';

/**
 * Reports every change of rights to the caches of every instance, whichever SQL made it. Changes by a transaction of
 * the service are published before the writer gets its answer.
 *
 * Caches stay correct because a message arrives only when the change can already be read: a cache drops what it read
 * before the message, or is reading when it arrives; everything read afterwards shows the change.
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
