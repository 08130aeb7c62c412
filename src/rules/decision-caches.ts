import { LRUCache } from 'lru-cache';
import type { SizedCache } from '../common/metrics/metrics';
import type { Decision, DecisionCache, Rule } from '../engine';
import { forgetDecisions } from '../repository';
import type { DecisionCounts } from './decision-counts';
import { weightOfRule } from './weights';

/** Bytes that the decisions of all callers may use together. */
const MAX_BYTES = 64_000_000;
const OF_DECISION = 1_000;
/** Values derived from a decision mention each field several times. */
const OF_FIELD = 200;
/** One of the rules that grant a field. */
const OF_GRANT = 8;

/** What the decisions made from the same rights share. */
export interface CacheConditions {
  /** Whether the next request may bind a rule to other values. */
  readonly varies: (rule: Rule) => boolean;
  /** Every preset has the same value in the next request. */
  readonly samePresets: boolean;
  /** Bytes of the caller's data that each decision keeps alive. */
  readonly weight: number;
}

/**
 * Caches decisions from one request to the next, for as long as the rights that they were made from are cached. A rule
 * that depends on the time is bound again for each request.
 */
export class DecisionCaches {
  private readonly decisions = new LRUCache<string, Decision>({ maxSize: MAX_BYTES });
  private opened = 0;

  constructor(private readonly counts: DecisionCounts) {}

  get sized(): SizedCache {
    return this.decisions;
  }

  open({ varies, samePresets, weight }: CacheConditions): DecisionCache {
    const number = (this.opened += 1);
    return {
      samePresets,
      get: (key) => this.noted(this.decisions.get(`${number} ${key}`)),
      keep: (key, decision, rules) => {
        this.counts.note(decision);
        if (rules.some(varies)) return;
        const size = weight + weightOfDecision(decision, rules);
        this.decisions.set(`${number} ${key}`, decision, { size });
      },
    };
  }

  private noted(decision: Decision | undefined): Decision | undefined {
    if (decision) this.counts.note(decision);
    return decision;
  }

  clear(): void {
    this.decisions.clear();
    forgetDecisions();
  }
}

function weightOfDecision({ collection }: Decision, rules: readonly Rule[]): number {
  const own = OF_DECISION + (OF_FIELD + OF_GRANT * rules.length) * collection.fields.size;
  return rules.reduce((sum, rule) => sum + 2 * weightOfRule(rule), own);
}
