import { LRUCache } from 'lru-cache';
import type { SizedCache } from '../common/metrics/metrics';
import type { Decision, DecisionCache, Rule } from '../engine';
import { forgetDecisions } from '../repository';
import type { DecisionCounts } from './decision-counts';
import { weightOfRule } from './weights';

/** Bytes that all the decisions of all callers may keep. */
const ROOM = 64_000_000;
const OF_DECISION = 1_000;
/** What is worked out of a decision once names each field several times. */
const OF_FIELD = 200;

/** What the decisions made from the same rights have in common. */
export interface CacheConditions {
  /** Whether a rule may be bound otherwise by the next request. */
  readonly passes: (rule: Rule) => boolean;
  /** Every preset is the same in the next request. */
  readonly samePresets: boolean;
  /** Bytes that each decision keeps of the caller's. */
  readonly weight: number;
}

/**
 * Decisions kept from one request to the next, for as long as the rights that they were made from: whatever changes
 * those makes new ones. A rule that speaks of the moment is bound anew by each request.
 */
export class DecisionCaches {
  private readonly decisions = new LRUCache<string, Decision>({ maxSize: ROOM });
  private opened = 0;

  constructor(private readonly counts: DecisionCounts) {}

  get sized(): SizedCache {
    return this.decisions;
  }

  open({ passes, samePresets, weight }: CacheConditions): DecisionCache {
    const number = (this.opened += 1);
    return {
      samePresets,
      get: (key) => this.noted(this.decisions.get(`${number} ${key}`)),
      keep: (key, decision, rules) => {
        this.counts.note(decision);
        if (rules.some(passes)) return;
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
  const own = OF_DECISION + OF_FIELD * collection.fields.size;
  return rules.reduce((sum, rule) => sum + 2 * weightOfRule(rule), own);
}
