import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const refused = (it: string, query: Scenario['query'], field: string): Scenario => ({
  it,
  caller: 'admin',
  collection: 'service_permissions',
  operation: 'list',
  query,
  refused: [{ code: 'INVALID_QUERY', field }],
});

const scenarios: Scenario[] = [
  refused('refuses an unknown parameter', { nonsense: 1 } as never, 'nonsense'),
  refused('refuses a limit below -1', { limit: -2 }, 'limit'),
  refused('refuses a limit that is not a number', { limit: 'all' }, 'limit'),
  refused('refuses a fractional limit', { limit: 1.5 }, 'limit'),
  refused('refuses a limit above the maximum', { limit: 10_001 }, 'limit'),
  refused('refuses a limit beyond every integer', { limit: 99_999_999_999 }, 'limit'),
  refused('refuses an offset below 0', { offset: -1 }, 'offset'),
  refused('refuses a page 0', { page: 0 }, 'page'),
  refused('refuses a page 0 with an offset', { page: 0, offset: 1 }, 'page'),
  refused('refuses unknown meta', { meta: ['everything'] }, 'meta'),
  refused(
    'refuses an unknown operator',
    { filter: { action: { _is: 'read' } } },
    'filter.action._is',
  ),
  refused(
    'refuses an operator of another type',
    { filter: { id: { _contains: '1' } } },
    'filter.id._contains',
  ),
  refused(
    'refuses an operand of another type',
    { filter: { id: { _eq: 'one' } } },
    'filter.id._eq',
  ),
  refused(
    'refuses an operand out of range',
    { filter: { id: { _eq: 2_147_483_648 } } },
    'filter.id._eq',
  ),
  refused('refuses null as an operand', { filter: { id: { _eq: null } } }, 'filter.id._eq'),
  {
    ...refused('refuses an object instead of a list', { filter: { _or: {} } }, 'filter._or'),
    restOnly: 'GraphQL reads one value as a list of one',
  },
  refused('refuses an empty field', { filter: { id: {} } }, 'filter.id'),
  refused('refuses a filter that is a list', { filter: '[]' as unknown as object }, 'filter'),
  refused(
    'refuses an unknown variable',
    { filter: { action: { _eq: '$CURRENT_MOOD' } } },
    'filter.action._eq',
  ),
  refused(
    'refuses to sort by a field without an order',
    { sort: ['permissions'] },
    'sort.permissions',
  ),
  refused('refuses an alias that is not a name', { alias: { 'a b': 'action' } }, 'alias.a b'),
  refused('refuses deep that is not an object', { deep: 1 as never }, 'deep'),
  refused(
    'refuses an unknown deep parameter',
    { fields: ['policy.name'], deep: { policy: { _drop: 1 } } },
    'deep.policy._drop',
  ),
];

describe('a query of permission rules', () => {
  play({ seed: SEED, scenarios });
});
