import type { World } from '../../factories';
import { type Call, faultsOf } from './described';
import { openOffice } from './office';

let world: World;
beforeAll(async () => {
  world = await openOffice();
});
afterAll(() => world.app.close());

const CALLS: readonly Call[] = [
  ['ann', 'GET', '/items/invoices', '/items/invoices?fields=number,customer.name'],
  [
    'ann',
    'GET',
    '/items/invoices',
    '/items/invoices?fields=*,customer.*,lines.*,labels.*,author.*',
  ],
  ['ann', 'GET', '/items/invoices/{id}', '/items/invoices/<second>?fields=customer.name'],
  ['ann', 'GET', '/items/lines', '/items/lines?fields=*,invoice.*,invoice.customer.*'],
  ['ann', 'GET', '/items/journal', '/items/journal?fields=*,invoice.number'],
  ['admin', 'GET', '/items/journal', '/items/journal?fields=*,invoice.number'],
  ['admin', 'GET', '/items/invoices', '/items/invoices?fields=*.*'],
];

it.each(CALLS.map((call) => ({ what: `${call[0]}: ${call[3]}`, call })))(
  'hidden parts of a relation are described: $what',
  async ({ call }) => {
    expect(await faultsOf(world, call)).toBeUndefined();
  },
);
