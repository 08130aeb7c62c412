import { Registry } from 'prom-client';
import { setImmediate as turn } from 'node:timers/promises';
import { Metrics } from './metrics';

type Report = Parameters<Parameters<Metrics['add']>[1]>[0];

it.each(['counter', 'gauge'] as const)(
  'two readings at once of a registry with ours in it report a %s once',
  async (kind) => {
    const metrics = new Metrics();
    const metric = { kind, name: 'invoices', help: 'Invoices', labels: ['state'] };
    metrics.add(metric, async (report) => {
      await turn();
      report(2, { state: 'open' });
      await turn();
      report(3, { state: 'paid' });
    });
    const host = Registry.merge([metrics.registry]);
    for (const text of await Promise.all([host.metrics(), host.metrics(), metrics.text()])) {
      expect(text.match(/^invoices\{.*$/gm)).toEqual([
        'invoices{state="open"} 2',
        'invoices{state="paid"} 3',
      ]);
    }
  },
);

it.each<[string, (report: Report) => void]>([
  [
    'cannot be read',
    () => {
      throw new Error('broken');
    },
  ],
  ['reports a label that it does not have', (report) => report(1, { kind: 'x' })],
  ['reports a text', (report) => report('3' as unknown as number, { state: 'paid' })],
  ['reports less than nothing', (report) => report(-1, { state: 'paid' })],
])('a metric that %s is left out, and no other one', async (_, breakIt) => {
  const metrics = new Metrics();
  let isBroken = false;
  metrics.add(
    { kind: 'counter', name: 'invoices', help: 'Invoices', labels: ['state'] },
    (report) => {
      report(2, { state: 'open' });
      if (isBroken) breakIt(report);
    },
  );
  metrics.add({ kind: 'gauge', name: 'clients', help: 'Clients' }, (report) => report(7));
  expect(await metrics.text()).toContain('invoices{state="open"} 2');
  isBroken = true;
  const text = await metrics.text();
  expect(text).not.toContain('invoices{');
  expect(text).toContain('clients 7');
});
