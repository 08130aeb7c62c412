import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const RARE = 2;
const NAME_LENGTH = 22;

/**
 * Which statements are worth preparing: those seen more than twice. The name is made of the text: a connection that
 * knows a forgotten one never runs the wrong statement, nor does one that a pooler lends to several instances.
 */
export class StatementNames {
  private readonly named: LRUCache<string, string>;
  private readonly seen: LRUCache<string, number>;
  private stopped = false;

  constructor(max = 500) {
    this.named = new LRUCache({ max });
    this.seen = new LRUCache({ max: max * 4 });
  }

  nameFor(text: string): string | undefined {
    if (this.stopped) return undefined;
    const name = this.named.get(text);
    if (name !== undefined) return name;
    const times = (this.seen.get(text) ?? 0) + 1;
    if (times <= RARE) {
      this.seen.set(text, times);
      return undefined;
    }
    this.seen.delete(text);
    const next = `d${createHash('sha256').update(text).digest('base64url').slice(0, NAME_LENGTH)}`;
    this.named.set(text, next);
    return next;
  }

  /** No statement is prepared from now on. */
  stop(): void {
    this.stopped = true;
    this.named.clear();
    this.seen.clear();
  }
}
