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
    'PATCH',
    '/items/customers/{id}',
    '/items/customers/<acme>',
    [
      { invoices: { create: [{ number: 'C-1' }] } },
      { invoices: { update: [{ id: '<first>', remark: 'u' }] } },
      { invoices: { update: ['<first>', { id: '<third>' }], delete: [] } },
      { invoices: { create: [], update: [], delete: [] } },
      { invoices: {} },
      { clerk: { id: '<ann>' } },
      { clerk: { id: '<ann>', first_name: 'Anna' } },
      { clerk: null },
      { clerk: '<ann>' },
      { vat: 'DE5', pin: '**********' },
    ],
    [
      { invoices: { create: [{ remark: 'no number' }] } },
      { invoices: { update: [{ remark: 'no key' }] } },
      { invoices: { create: [{ number: 7 }] } },
      { invoices: { change: [] } },
      { invoices: { delete: [{ id: '<first>' }] } },
      { invoices: 'all' },
      { invoices: null },
      { clerk: 7 },
      { clerk: ['<ann>'] },
      { clerk: { id: '<ann>', shoe: 1 } },
      { vat: 'nothing' },
      { name: null },
      { name: 'n'.repeat(41) },
    ],
  ],
  [
    'POST',
    '/items/lines',
    '/items/lines',
    [
      { invoice: '<first>', text: 'A' },
      { invoice: { id: '<first>' }, text: 'A' },
      { invoice: { number: 'L-1', customer: '<acme>' }, text: 'A', pieces: 99 },
      { invoice: { number: 'L-2', customer: { name: 'New' } }, text: 'A' },
    ],
    [
      { invoice: { number: 'L-3' }, text: 'A' },
      { invoice: { remark: 'x' }, text: 'A' },
      { invoice: {}, text: 'A' },
      { invoice: null, text: 'A' },
      { invoice: '<first>', text: 'A', pieces: 100 },
      { invoice: '<first>', text: 'A', pieces: 1.5 },
    ],
  ],
  [
    'PATCH',
    '/users/{id}',
    '/users/<guest>',
    [
      { policies: ['<visitors>'] },
      { policies: [{ policy: '<clerks>' }] },
      { policies: [{ policy: '<clerks>', expires_at: '2099-01-01' }] },
      { policies: { create: [{ policy: '<visitors>' }], delete: [] } },
      { policies: { create: ['<visitors>'] } },
      { policies: [{ name: 'Made here' }] },
    ],
    [
      { policies: [{ policy: 7 }] },
      { policies: [7] },
      { policies: [{ policy: '<clerks>', a: 1 }] },
    ],
  ],
  [
    'PATCH',
    '/roles/{id}',
    '/roles/<office>',
    [{ users: { create: [{ email: 'c@example.com', last_name: 'C' }] } }],
    [{ users: { create: [{ email: 'd@example.com' }] } }, { users: [{ email: 'd@example.com' }] }],
  ],
];

const CASES = FORMS.flatMap(([method, template, path, taken, refused]) =>
  [...taken, ...refused].map((body, at) => ({
    what: `${method} ${path} ${JSON.stringify(body).slice(0, 120)}`,
    call: ['admin', method, template, path, body] as Call,
    isTaken: at < taken.length,
  })),
);

it.each(CASES)('related items in bodies are described: $what', async ({ call, isTaken }) => {
  expect(await sent(world, call)).toEqual({ taken: isTaken, described: isTaken });
});
