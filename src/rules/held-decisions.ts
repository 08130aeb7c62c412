import { LRUCache } from 'lru-cache';
import type { Decision, HeldDecisions, Rule } from '../access';

/** How many bound rules are held, in all decisions of all callers together. */
const MOST_CASES = 20_000;

/**
 * Decisions held from one request to the next, for as long as the standing that they were made in: whatever changes a
 * standing makes a new one. A rule that speaks of the moment is bound anew by each request.
 */
export class DecisionShelf {
  private readonly decisions = new LRUCache<string, Decision>({
    maxSize: MOST_CASES,
    sizeCalculation: ({ cases }) => 1 + cases.length,
  });
  private standings = 0;

  /** @param passing rules that may be bound otherwise by the next request */
  place(passing: ReadonlySet<Rule>): HeldDecisions {
    const standing = (this.standings += 1);
    return {
      samePresets: ![...passing].some(hasVariablePreset),
      get: (key) => this.decisions.get(`${standing} ${key}`),
      keep: (key, decision, rules) => {
        if (rules.some((rule) => passing.has(rule))) return;
        this.decisions.set(`${standing} ${key}`, decision);
      },
    };
  }

  clear(): void {
    this.decisions.clear();
  }
}

const hasVariablePreset = ({ presets }: Rule): boolean =>
  [...presets.values()].some((preset) => 'variable' in preset);
