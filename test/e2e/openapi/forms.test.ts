import type { World } from '../../factories';
import { type Call, type Form, sent } from './described';
import { openOffice } from './office';

let world: World;
beforeAll(async () => {
  world = await openOffice({ USER_REQUIRED_FIELDS: 'last_name' });
});
afterAll(() => world.app.close());

const FORMS: readonly Form[] = [
  [
    'POST',
    '/items/labels',
    '/items/labels',
    [{ id: 'n1' }, [{ id: 'n2' }, { id: 'n3', meaning: null }], []],
    [{}, 'n4', null, { id: 'n5', more: 1 }, [{ meaning: 'x' }], { data: { id: 'n6' } }, [['n7']]],
  ],
  [
    'PATCH',
    '/items/labels',
    '/items/labels',
    [
      [{ id: 'red', meaning: 'hot' }, { id: 'blue' }],
      { keys: ['red', 'blue'], data: { meaning: 'x' } },
      { id: ['red', 'blue'], meaning: 'y' },
      { query: { filter: { id: 'red' } }, data: { meaning: 'z' } },
      { query: { limit: 1, sort: ['-id'], page: 1 }, data: { meaning: 'z' } },
      { query: { search: 'nothing', sort: 'id', offset: 0 }, data: {} },
      { keys: [], data: {} },
      [],
    ],
    [
      {},
      [{ meaning: 'hot' }],
      { meaning: 'hot' },
      { id: 'red', meaning: 'x' },
      { keys: ['red'] },
      { data: { meaning: 'x' } },
      { keys: 'red', data: {} },
      { keys: ['red'], data: { meaning: 'x' }, meaning: 'x' },
      { keys: ['red'], query: {}, data: { meaning: 'x' } },
      { keys: ['red'], data: [{ meaning: 'x' }] },
      { keys: ['red'], data: { other: 'x' } },
      { query: { fields: ['id'] }, data: {} },
      { query: { limit: -2 }, data: {} },
      { query: { page: 0 }, data: {} },
      { query: { filter: 7 }, data: {} },
      { query: [], data: {} },
    ],
  ],
  [
    'PATCH',
    '/items/labels/{id}',
    '/items/labels/red',
    [{ meaning: 'x' }, { id: 'red', meaning: 'y' }, {}],
    [[], [{ id: 'red', meaning: 'y' }], { data: { meaning: 'x' } }, { meaning: 7 }, null],
  ],
  [
    'DELETE',
    '/items/labels',
    '/items/labels',
    [['n1'], { keys: ['n2'] }, { query: { filter: { id: { _eq: 'n3' } } } }, [], { keys: [] }],
    [
      {},
      [{ id: 'red' }],
      { keys: 'red' },
      { id: ['red'] },
      { keys: ['red'], query: {} },
      { keys: ['red'], data: {} },
      { query: { deep: {} } },
      [null],
    ],
  ],
  [
    'PATCH',
    '/settings',
    '/settings',
    [{ project_name: 'Office' }, {}],
    [[], [{ project_name: 'x' }], { keys: [1], data: {} }, { project_name: 7 }, { nothing: 1 }],
  ],
];

const CASES = FORMS.flatMap(([method, template, path, taken, refused]) =>
  [...taken, ...refused].map((body, at) => ({
    what: `${method} ${path} ${JSON.stringify(body).slice(0, 120)}`,
    call: ['admin', method, template, path, body] as Call,
    isTaken: at < taken.length,
  })),
);

it.each(CASES)('a form of a body is described: $what', async ({ call, isTaken }) => {
  expect(await sent(world, call)).toEqual({ taken: isTaken, described: isTaken });
});

const OWN: readonly (readonly [isTaken: boolean, call: Call])[] = [
  [true, ['ann', 'POST', '/items/invoices', undefined, { number: 'O-1', customer: '<acme>' }]],
  [false, ['ann', 'POST', '/items/invoices', undefined, { number: 'O-2' }]],
  [
    false,
    [
      'ann',
      'POST',
      '/items/invoices',
      undefined,
      { number: 'O-3', customer: '<acme>', remark: 'x' },
    ],
  ],
  [
    true,
    [
      'ann',
      'POST',
      '/items/invoices',
      undefined,
      {
        number: 'O-4',
        customer: { id: '<acme>', name: 'Acme!' },
        lines: [{ text: 'A' }],
        labels: ['red'],
      },
    ],
  ],
  [
    true,
    [
      'ann',
      'PATCH',
      '/items/invoices/{id}',
      '/items/invoices/<first>',
      { lines: { create: [{ text: 'B' }] } },
    ],
  ],
  [
    true,
    [
      'ann',
      'PATCH',
      '/items/invoices/{id}',
      '/items/invoices/<first>',
      { lines: { update: [{ id: '<one>', text: 'C' }] } },
    ],
  ],
  [
    false,
    [
      'ann',
      'PATCH',
      '/items/invoices/{id}',
      '/items/invoices/<first>',
      { lines: { update: [{ id: '<one>', text: 7 }] } },
    ],
  ],
  [false, ['ann', 'PATCH', '/items/invoices/{id}', '/items/invoices/<first>', { number: 'x' }]],
  [
    true,
    [
      'ann',
      'PATCH',
      '/items/invoices',
      undefined,
      { keys: ['<first>'], data: { due: '2025-01-01' } },
    ],
  ],
  [true, ['ann', 'DELETE', '/items/invoices', undefined, { query: { filter: { number: 'O-1' } } }]],
];

it.each(OWN.map(([isTaken, call]) => ({ what: JSON.stringify(call), isTaken, call })))(
  'also for a caller with rules: $what',
  async ({ call, isTaken }) => {
    expect(await sent(world, call)).toEqual({ taken: isTaken, described: isTaken });
  },
);
