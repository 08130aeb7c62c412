import { type Action, allowsAny, type Decision } from '../engine';

/** `unrestricted`: an administrator's. `refused`: no rule grants the action on anything of the collection. */
type Outcome = 'unrestricted' | 'by_rule' | 'refused';

type Counts = Record<Outcome, number>;

/** Counts how often callers were granted or refused an action on a collection; each request adds to the counts. */
export class DecisionCounts {
  private readonly counts = new Map<Action, Counts>();

  note(decision: Decision): void {
    const known = this.counts.get(decision.action) ?? this.begin(decision.action);
    known[outcomeOf(decision)] += 1;
  }

  *[Symbol.iterator](): Generator<{ action: Action; outcome: Outcome; count: number }> {
    for (const [action, counts] of this.counts) {
      for (const outcome of OUTCOMES) yield { action, outcome, count: counts[outcome] };
    }
  }

  private begin(action: Action): Counts {
    const counts = { unrestricted: 0, by_rule: 0, refused: 0 };
    this.counts.set(action, counts);
    return counts;
  }
}

const OUTCOMES = ['unrestricted', 'by_rule', 'refused'] as const;

function outcomeOf(decision: Decision): Outcome {
  if (decision.unrestricted) return 'unrestricted';
  return allowsAny(decision) ? 'by_rule' : 'refused';
}
