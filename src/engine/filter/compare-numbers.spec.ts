import { meets, source } from '../sample.spec-support';
import type { Cell } from '../schema/value';

const ORDER = { _lt: [-1], _lte: [-1, 0], _eq: [0], _neq: [-1, 1], _gte: [0, 1], _gt: [1] };

/** The operators that hold between a stored number and the caller's. */
const holding = (field: string, cell: Cell, number: Cell): string[] =>
  Object.keys(ORDER).filter((operator) => {
    const variables = source({ '$CURRENT_USER.age': number });
    return meets(
      { [field]: { [operator]: '$CURRENT_USER.age' } },
      { [field]: cell },
      {},
      variables,
    );
  });

const MAX = Number.MAX_VALUE;

it.each<[string, Cell, Cell, -1 | 0 | 1]>([
  ['small', 32767, 40000, -1],
  ['small', -32768, -40000, 1],
  ['small', 7, '7.00', 0],
  ['integer', -1, '-1.5', 1],
  ['integer', -2, '-1.5', -1],
  ['integer', 0, 1e-300, -1],
  ['integer', 2147483647, 2147483647.5, -1],
  ['integer', -2147483648, -2147483648.5, 1],
  ['integer', 7, NaN, -1],
  ['integer', 7, Infinity, -1],
  ['integer', 7, '-Infinity', 1],
  ['bigint', '9007199254740993', 9007199254740992, 1],
  ['bigint', '9223372036854775807', '9223372036854775807.01', -1],
  ['bigint', '9223372036854775807', 1e300, -1],
  ['decimal', '9999.99', '100000.00', -1],
  ['decimal', '0.1', 0.1, 0],
  ['decimal', '0.10', '0.101', -1],
  ['decimal', '1.5', NaN, -1],
  ['decimal', 'NaN', NaN, 0],
  ['decimal', 'Infinity', '1e400', 1],
  ['double', 0.1, '0.100', 0],
  ['double', 0.1, '0.10000000000000001', -1],
  ['double', 0.1, '0.09999999999999999999', 1],
  ['double', 9007199254740992, '9007199254740993', -1],
  ['double', 9007199254740994, '9007199254740993', 1],
  ['double', -9007199254740992, '-9007199254740993', 1],
  ['double', MAX, `1${'0'.repeat(309)}`, -1],
  ['double', Infinity, `1${'0'.repeat(309)}`, 1],
  ['double', 0, `0.${'0'.repeat(400)}1`, -1],
  ['double', 0, `-0.${'0'.repeat(400)}1`, 1],
  ['double', 5e-324, `0.${'0'.repeat(400)}1`, 1],
  ['double', -5e-324, `-0.${'0'.repeat(400)}1`, -1],
  ['double', NaN, 'NaN', 0],
  ['double', NaN, 'Infinity', 1],
])('a stored %s of %s is compared with the caller’s %s', (field, cell, number, order) => {
  const expected = Object.entries(ORDER).filter(([, orders]) => orders.includes(order));
  expect(holding(field, cell, number)).toEqual(expected.map(([operator]) => operator));
});

it('null is unlike any number of the caller', () => {
  for (const number of ['1.5', 40000, NaN])
    expect(holding('small', null, number)).toEqual(['_neq']);
});

it.each<[object, number[]]>([
  [{ _in: [2, '$CURRENT_USER.age'] }, [2]],
  [{ _nin: [2, '$CURRENT_USER.age'] }, [0, 1, 3]],
  [{ _between: ['$CURRENT_USER.age', 3] }, [2, 3]],
  [{ _between: [1, '$CURRENT_USER.age'] }, [1]],
  [{ _between: ['$CURRENT_USER.age', '$CURRENT_USER.age'] }, []],
  [{ _nbetween: ['$CURRENT_USER.age', 9] }, [0, 1]],
  [{ _nbetween: ['$CURRENT_USER.age', '$CURRENT_USER.age'] }, [0, 1, 2, 3]],
])('%j compares with 1.5', (test, expected) => {
  const variables = source({ '$CURRENT_USER.age': '1.5' });
  const row = (small: number): boolean => meets({ small: test }, { small }, {}, variables);
  expect([0, 1, 2, 3].filter(row)).toEqual(expected);
});
