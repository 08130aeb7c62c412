import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { create, read, seed, startTestApp, type World } from 'doorward/testing';
import { InvoicingModule } from './invoicing.module';

const MINE = { owner: { _eq: '$CURRENT_USER' } };
let world: World;

before(async () => {
  world = await seed(await startTestApp({ imports: [InvoicingModule] }), {
    policies: { clerks: [read('invoices', ['number'], MINE), create('invoices', ['number'])] },
    users: { ann: { policies: ['clerks'] } },
    rows: { invoices: { first: { number: 'A-1', owner: '<ann>' }, second: { number: 'A-2' } } },
  });
});

after(() => world.app.close());

void test('a clerk reads their own invoices, over REST and GraphQL', async () => {
  const ann = world.as('ann');
  const list = await ann.get('/items/invoices?fields=number');
  assert.deepEqual(list.data, [{ number: 'A-1' }]);
  const reply = await ann.graphql('{ invoices { number } }');
  assert.deepEqual(reply.data, { invoices: [{ number: 'A-1' }] });
  const other = await ann.get(world.fill('/items/invoices/<second>'));
  assert.deepEqual(other.codes, ['FORBIDDEN']);
});

void test('a caller who is not signed in reads none', async () => {
  assert.equal((await world.as(null).get('/items/invoices')).status, 403);
});

void test('time passes when the test moves the clock', async () => {
  const before = Date.now();
  world.app.clock.advance('30d');
  assert.ok(Date.now() - before >= 30 * 86_400_000);
  assert.equal((await world.as('ann').get('/items/invoices')).status, 200);
});
