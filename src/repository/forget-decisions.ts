import { plainQueries } from './read/plain-queries';
import { plainStatements } from './read/plain-statements';
import { storingStatements } from './write/store/storing-statement';

/** Called when all decisions were dropped: what is cached for them can never be used again. */
export function forgetDecisions(): void {
  for (const cache of [plainQueries, plainStatements, storingStatements]) cache.clear();
}
