import { LRUCache } from 'lru-cache';

const RARE = 2;

/**
 * Which statements are worth preparing: those seen more than twice. A name belongs to one text for ever, so that a
 * connection that still knows a forgotten one never runs the wrong statement.
 */
export class StatementNames {
  private readonly named: LRUCache<string, string>;
  private readonly seen: LRUCache<string, number>;
  private count = 0;

  constructor(max = 500) {
    this.named = new LRUCache({ max });
    this.seen = new LRUCache({ max: max * 4 });
  }

  nameFor(text: string): string | undefined {
    const name = this.named.get(text);
    if (name !== undefined) return name;
    const times = (this.seen.get(text) ?? 0) + 1;
    if (times <= RARE) {
      this.seen.set(text, times);
      return undefined;
    }
    this.seen.delete(text);
    this.count += 1;
    const next = `d${this.count}`;
    this.named.set(text, next);
    return next;
  }
}
