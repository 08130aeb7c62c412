import { ANNA, BERT, bound, faultOf, inQuery, meets, type World } from '../sample.spec-support';
import { parseFilter } from './parse-filter';

const world: World = {
  service_users: [
    { id: ANNA, name: 'Anna', age: 40, boss: BERT },
    { id: BERT, name: 'Bert', age: null },
  ],
  parts: [
    { id: 1, thing: 1, name: 'red', size: 1 },
    { id: 2, thing: 1, name: 'blue', size: 9 },
    { id: 3, thing: 2, name: null, size: null },
  ],
  screws: [{ id: 1, part: 1, length: 5 }],
};
const annas = { id: 1, owner: ANNA };
const berts = { id: 2, owner: BERT };
const nobodys = { id: 3 };
const hiddens = { id: 4, owner: 'cccccccc-0000-4000-8000-000000000003' };

describe('through a to-one', () => {
  it.each<[unknown, readonly boolean[]]>([
    // For Anna's row, Bert's, a row without owner, and one whose owner is hidden.
    [{ owner: { _eq: ANNA } }, [true, false, false, false]],
    [{ owner: { _neq: ANNA } }, [false, true, true, true]],
    [{ owner: { _null: true } }, [false, false, true, false]],
    [{ owner: { _in: [ANNA, BERT] } }, [true, true, false, false]],
    [{ owner: { id: { _eq: ANNA } } }, [true, false, false, false]],
    [{ owner: { id: { _neq: ANNA } } }, [false, true, false, false]],
    [{ owner: { name: { _eq: 'Anna' } } }, [true, false, false, false]],
    [{ owner: { name: { _neq: 'Anna' } } }, [false, true, false, false]],
    [{ owner: { age: { _null: true } } }, [false, true, false, false]],
    [{ owner: { age: { _neq: 40 } } }, [false, true, false, false]],
    [{ owner: { _and: [] } }, [true, true, false, false]],
    [{ owner: { _or: [] } }, [false, false, false, false]],
    [{ owner: { boss: { name: { _eq: 'Bert' } } } }, [true, false, false, false]],
    [{ owner: { boss: { _null: true } } }, [false, true, false, false]],
    [{ owner: { _neq: BERT, name: { _starts_with: 'A' } } }, [true, false, false, false]],
    [{ owner: { _neq: BERT, name: { _starts_with: 'B' } } }, [false, false, false, false]],
    [
      { owner: { _nnull: true, _or: [{ name: { _eq: 'Bert' } }, { age: { _eq: 40 } }] } },
      [true, true, false, false],
    ],
    [
      { _or: [{ owner: { _null: true } }, { owner: { age: { _gt: 1 } } }] },
      [true, false, true, false],
    ],
  ])('%j', (filter, expected) => {
    expect([annas, berts, nobodys, hiddens].map((row) => meets(filter, row, world))).toEqual(
      expected,
    );
  });
});

describe('through a to-many', () => {
  it.each<[unknown, readonly boolean[]]>([
    // For a row with two parts, one with a part without name, and one without parts.
    [{ parts: { name: { _eq: 'red' } } }, [true, false, false]],
    [{ parts: { _some: { name: { _eq: 'red' } } } }, [true, false, false]],
    [{ parts: { _none: { name: { _eq: 'red' } } } }, [false, true, true]],
    [{ parts: { name: { _neq: 'red' } } }, [true, true, false]],
    [{ parts: { _none: { name: { _neq: 'red' } } } }, [false, false, true]],
    [{ parts: { _some: {} } }, [true, true, false]],
    [{ parts: { _none: {} } }, [false, false, true]],
    [{ parts: { _null: true } }, [false, false, true]],
    [{ parts: { _null: 'false' } }, [true, true, false]],
    [{ parts: { _nnull: true } }, [true, true, false]],
    [{ parts: { _nnull: false } }, [false, false, true]],
    [{ parts: { _null: false, name: { _eq: 'red' } } }, [true, false, false]],
    [{ parts: { _none: { screws: { _null: true } } } }, [false, false, true]],
    [{ parts: { _none: { _or: [] } } }, [true, true, true]],
    [{ parts: { _none: { id: { _in: [] } } } }, [true, true, true]],
    [{ parts: { _some: { id: { _nin: [] } } } }, [true, true, false]],
    // One object is about one part; members of _and may be about different ones.
    [{ parts: { name: { _eq: 'red' }, size: { _eq: 9 } } }, [false, false, false]],
    [
      { _and: [{ parts: { name: { _eq: 'red' } } }, { parts: { size: { _eq: 9 } } }] },
      [true, false, false],
    ],
    [{ parts: { _and: [{ name: { _eq: 'red' } }, { size: { _eq: 9 } }] } }, [false, false, false]],
    [{ parts: { _some: { name: { _eq: 'red' } }, size: { _eq: 9 } } }, [true, false, false]],
    [
      { parts: { _some: { name: { _eq: 'red' } }, _none: { size: { _eq: 9 } } } },
      [false, false, false],
    ],
    [{ parts: { screws: { length: { _eq: 5 } } } }, [true, false, false]],
    [{ parts: { screws: { _none: {} } } }, [true, true, false]],
    [{ parts: { _none: { screws: { _none: {} } } } }, [false, false, true]],
    [{ parts: { thing: { parts: { name: { _eq: 'blue' } } } } }, [false, false, false]],
    [{ 'count(parts)': { _eq: 2 } }, [true, false, false]],
    [{ 'count(parts)': { _lte: 1 } }, [false, true, true]],
  ])('%j', (filter, expected) => {
    const rows = [{ id: 1 }, { id: 2 }, { id: 3 }];
    expect(rows.map((row) => meets(filter, row, world))).toEqual(expected);
  });

  it('keeps a clause about one related row together', () => {
    expect(bound({ owner: { _nnull: true, name: { _eq: 'A' }, age: { _eq: 1 } } })).toMatchObject({
      kind: 'and',
      of: [
        { kind: 'leaf', test: 'null', negated: true, operands: [] },
        { kind: 'to-one', filter: { kind: 'and', of: [{ operands: ['A'] }, { operands: [1] }] } },
      ],
    });
  });

  it.each<[unknown, string]>([
    [{ owner: {} }, 'filter.owner'],
    [{ parts: {} }, 'filter.parts'],
    [{ parts: [] }, 'filter.parts'],
    [{ parts: { _eq: 1 } }, 'filter.parts._eq'],
    [{ parts: { _null: 1 } }, 'filter.parts._null'],
    [{ parts: { _empty: true } }, 'filter.parts._empty'],
    [{ parts: { _some: 'x' } }, 'filter.parts._some'],
    [{ parts: { _some: null } }, 'filter.parts._some'],
    [{ owner: { _some: {} } }, 'filter.owner._some'],
    [{ owner: { _and: [{ _eq: ANNA }] } }, 'filter.owner._and.0._eq'],
    [{ owner: { _contains: 'a' } }, 'filter.owner._contains'],
    [{ owner: 'Anna' }, 'filter.owner._eq'],
    [{ _some: {} }, 'filter._some'],
    [{ 'count(owner)': { _eq: 1 } }, 'filter.count(owner)'],
  ])('refuses %j at %s', (filter, position) => {
    const fault = faultOf(() => parseFilter(filter, 'things', inQuery));
    expect([fault.kind, fault.path.join('.')]).toEqual(['malformed', position]);
  });
});
