import type { World } from '../../factories';
import { type Call, documentOf, faultsOf } from './described';
import { openOffice } from './office';

let world: World;
beforeAll(async () => {
  world = await openOffice();
});
afterAll(() => world.app.close());

const STALE = { invoices: { update: [{ id: '<first>', version: 99, remark: 'x' }] } };

const CALLS: readonly Call[] = [
  ['admin', 'PATCH', '/items/invoices/{id}', '/items/invoices/<first>', { version: 99, due: null }],
  ['admin', 'PATCH', '/items/customers/{id}', '/items/customers/<acme>', STALE],
  ['admin', 'PATCH', '/items/customers', '/items/customers', { keys: ['<acme>'], data: STALE }],
  ['admin', 'POST', '/items/customers', '/items/customers', { name: 'New', ...STALE }],
];

it.each(CALLS.map((call) => ({ what: `${call[1]} ${call[2]}`, call })))(
  'a refusal because of the version of a related item is described: $what',
  async ({ call }) => {
    const [name, method, , path = '', body] = call;
    const { status } = await world.as(name).send(method, world.fill(path), world.fill(body));
    expect(status).toBe(409);
    expect(await faultsOf(world, call)).toBeUndefined();
  },
);

it('failures of a computed field are described wherever relations lead to it, and nowhere else', async () => {
  const { paths } = await documentOf(world, 'admin');
  const described = ['customers', 'lines', 'journal', 'invoices', 'labels'].filter(
    (name) => paths[`/items/${name}`]?.['get']?.responses['422'],
  );
  expect(described).toEqual(['customers', 'lines', 'journal', 'invoices']);
});
