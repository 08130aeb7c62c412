import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const collection = 'service_permissions';
const [FIRST, SECOND, THIRD] = ['<sample#1>', '<sample#2>', '<sample#3>'];
const gone = (...ids: string[]): Scenario['stored'] => ({
  [collection]: Object.fromEntries(ids.map((id) => [id, null])),
});

const one = (
  it: string,
  caller: string | null,
  id: string | number,
  expected: object,
): Scenario => ({
  it,
  caller,
  collection,
  operation: 'delete',
  id,
  ...expected,
});
const many = (it: string, caller: string | null, ids: unknown[], expected: object): Scenario => ({
  it,
  caller,
  collection,
  operation: 'deleteMany',
  ids,
  ...expected,
});
const found = (it: string, caller: string, where: object, expected: object): Scenario => ({
  it,
  caller,
  collection,
  operation: 'deleteWhere',
  where,
  ...expected,
});

describe('deleting permission rules', () => {
  play({
    seed: SEED,
    scenarios: [
      one('deletes one', 'admin', FIRST, {
        silent: true,
        stored: { [collection]: { [FIRST]: null, [SECOND]: {}, [THIRD]: {} } },
      }),
      ...[999_999, '99999999999999999999', 'x', '<sample>'].map((id) =>
        one(`refuses the unknown rule ${id}`, 'admin', id, { refused: 'FORBIDDEN' }),
      ),
      one('lets a writer delete what their rule reaches', 'will', FIRST, {
        silent: true,
        stored: gone(FIRST),
      }),
      one('refuses what the rule does not reach', 'will', SECOND, { refused: 'FORBIDDEN' }),
      one('refuses callers who may delete no rules', 'rita', FIRST, { refused: 'FORBIDDEN' }),
      one('refuses callers who are not signed in', null, FIRST, { refused: 'FORBIDDEN' }),

      many('deletes many', 'admin', [FIRST, THIRD], { silent: true, stored: gone(FIRST, THIRD) }),
      many('deletes none of many with an unknown one', 'admin', [FIRST, 999_999], {
        refused: 'FORBIDDEN',
      }),
      many('deletes none of many with one twice', 'admin', [FIRST, FIRST], {
        refused: [{ code: 'INVALID_PAYLOAD', field: 'id' }],
      }),
      many('deletes none of many with one out of reach', 'will', [FIRST, SECOND], {
        refused: 'FORBIDDEN',
      }),
      many('refuses invalid ids', 'admin', [{}], { refused: 'INVALID_PAYLOAD' }),
      many('does nothing with an empty list', 'admin', [], { silent: true, stored: {} }),

      found(
        'deletes the rules that a query finds',
        'admin',
        { filter: { policy: { _eq: '<sample>' }, action: { _neq: 'read' } } },
        {
          silent: true,
          stored: {
            [collection]: { [FIRST]: {}, [SECOND]: null, [THIRD]: null, '<readers#1>': {} },
          },
        },
      ),
      found(
        'deletes no more than the limit of the query',
        'admin',
        { sort: ['-id'], limit: 1 },
        {
          silent: true,
          stored: { [collection]: { [FIRST]: {}, '<blind#2>': null, '<blind#1>': {} } },
        },
      ),
      found(
        'deletes none if one of those found is out of reach',
        'will',
        {},
        {
          refused: 'FORBIDDEN',
        },
      ),
      found(
        'refuses a query with an unknown field',
        'admin',
        { filter: { nonsense: { _eq: 1 } } },
        {
          refused: 'FORBIDDEN',
        },
      ),
      found(
        'refuses a query with an unknown parameter',
        'admin',
        { which: 'all' },
        {
          refused: [{ code: 'INVALID_QUERY', field: 'which' }],
        },
      ),
    ],
  });
});
