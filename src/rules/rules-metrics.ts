import type { Metrics } from '../common/metrics/metrics';
import type { RulesCache } from './rules-cache';

const DECISIONS = {
  kind: 'counter',
  name: 'doorward_decisions_total',
  help: 'Decisions for callers: whether they may do an action on a collection, by outcome',
  labels: ['action', 'outcome'],
} as const;

/** Adds the metrics of decisions and of the caches of rules. */
export function addRulesMetrics(metrics: Metrics, { counts, sized }: RulesCache): void {
  for (const [name, cache] of Object.entries(sized)) metrics.addCache(name, cache);
  metrics.add(DECISIONS, (report) => {
    for (const { count, ...labels } of counts) report(count, labels);
  });
}
