import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SizedCache } from '../common/metrics/metrics';

const RARE = 2;
const NAME_LENGTH = 22;
/**
 * A plan is a thousand times the size of its text: a statement that is longer, or has more parameters, is planned each
 * time.
 */
const MAX_LENGTH = 8_000;
const MAX_PARAMETERS = 50;
/** What may be several statements, which cannot be prepared together; a semicolon in a literal is taken for one too. */
const SEVERAL = /;\s*\S/;
/** Bytes of text that are remembered, for named statements and for candidates. */
const MAX_BYTES = 1_000_000;
/** Bytes of an entry beside its text. */
const BYTES_OF_ENTRY = 200;
const BY_TEXT = {
  maxSize: MAX_BYTES,
  sizeCalculation: (_: unknown, text: string): number => BYTES_OF_ENTRY + text.length,
};

/**
 * Which statements are worth preparing: those seen more than twice. The name is derived from the text: a connection
 * that knows a forgotten one never runs the wrong statement, nor does one that a pooler shares between instances.
 */
export class StatementNames {
  private readonly named = new LRUCache<string, string>(BY_TEXT);
  private readonly seen = new LRUCache<string, number>(BY_TEXT);

  constructor(private given = true) {}

  get sized(): readonly SizedCache[] {
    return [this.named, this.seen];
  }

  /** @param parameters their number */
  nameFor(text: string, parameters: number): string | undefined {
    if (!this.given || text.length > MAX_LENGTH || parameters > MAX_PARAMETERS) return undefined;
    const name = this.named.get(text);
    if (name !== undefined) return name;
    const times = (this.seen.get(text) ?? 0) + 1;
    if (times <= RARE) {
      this.seen.set(text, times);
      return undefined;
    }
    if (parameters === 0 && SEVERAL.test(text)) return undefined;
    this.seen.delete(text);
    const next = `d${createHash('sha256').update(text).digest('base64url').slice(0, NAME_LENGTH)}`;
    this.named.set(text, next);
    return next;
  }

  /** From now on no statement is prepared. @returns whether any was until now */
  stop(): boolean {
    if (!this.given) return false;
    this.given = false;
    this.named.clear();
    this.seen.clear();
    return true;
  }
}
