import { Registry } from 'prom-client';
import { setImmediate as turn } from 'node:timers/promises';
import { Metrics } from './metrics';

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

it('a metric that cannot be read is left out', async () => {
  const metrics = new Metrics();
  let isBroken = false;
  metrics.add(
    { kind: 'gauge', name: 'invoices', help: 'Invoices', labels: ['state'] },
    (report) => {
      report(2, { state: 'open' });
      if (isBroken) throw new Error('broken');
    },
  );
  expect(await metrics.text()).toContain('invoices{state="open"} 2');
  isBroken = true;
  expect(await metrics.text()).not.toContain('invoices{');
});
