import { audit, count, draft, each, keyOf, make, outcome, type Scenario, titled } from './acting';
import { OWN } from './own-doings';

const ANN = 'ann@example.com';
/** The user of changes by the system. */
const THE_SYSTEM = null;
const FORBIDDEN = 'FORBIDDEN';

/** Reads. */
const READING: readonly Scenario[] = [
  {
    name: 'an existing table is served with our own names, each row to its office',
    act: (stage) =>
      each(stage, ['ann', 'bob', 'nobody'], (transport) =>
        transport.list('customers', {}, ['code', 'name', 'credit_limit']),
      ),
    expected: [
      [{ code: 'C-100', name: 'Old Mill', credit_limit: '1000.00' }],
      [{ code: 'C-200', name: 'Harbour', credit_limit: '1000.00' }],
      FORBIDDEN,
    ],
  },
  {
    name: 'its rows are also served by their own key',
    act: (stage) =>
      each(stage, ['ann', 'bob'], (transport) => transport.one('customers', 'C-100', ['name'])),
    expected: [{ name: 'Old Mill' }, FORBIDDEN],
  },
  {
    name: 'a tree is created by its keys and read through its levels in both directions',
    act: async (stage) => {
      const code = stage.name === 'REST' ? '1' : '2';
      const root = await make(stage, 'income', 'accounts', { code, name: 'Income' });
      const below = { code: `${code}0`, name: 'Trade', parent: root };
      const trade = await make(stage, 'trade', 'accounts', below);
      await make(stage, 'sales', 'accounts', { code: `${code}00`, name: 'Sales', parent: trade });
      await make(stage, 'label', 'labels', { name: titled(stage, 'Urgent') });
      const filter = { parent: { parent: { id: { _eq: root } } } };
      const fields = ['name', 'parent.name', 'parent.parent.name'];
      const up = await stage.transport('ann').list('accounts', { filter }, fields);
      const down = await stage.transport('ann').one('accounts', root, ['children.children.name']);
      return [outcome(up), outcome(down)];
    },
    expected: [
      [{ name: 'Sales', parent: { name: 'Trade', parent: { name: 'Income' } } }],
      { children: [{ children: [{ name: 'Sales' }] }] },
    ],
  },
];

/** Writes and their consequences. */
const WRITING: readonly Scenario[] = [
  {
    name: 'an invoice comes with lines, labels and JSON; its total is exact, its status the default',
    act: async (stage) => {
      const address = { street: 'Mill Lane 1', floors: [1, 2] };
      const shown = await draft(
        stage,
        'Flour',
        [
          ['3', '0.10'],
          ['1.005', '99.99'],
        ],
        { address },
      );
      return JSON.parse(JSON.stringify(shown).replaceAll(` by ${stage.name}`, '')) as unknown;
    },
    expected: {
      status: 'draft',
      total: '100.79',
      address: { street: 'Mill Lane 1', floors: [1, 2] },
      labels: [{ name: 'Urgent' }],
      lines: [{ amount: '0.30' }, { amount: '100.49' }],
    },
  },
  {
    name: 'the audit has an entry with the author of the request, which clerks cannot read',
    act: async (stage) => [
      await audit(stage, 'Flour'),
      ...(await each(stage, ['ann', 'nobody'], (transport) =>
        transport.list('audit_entries', {}, ['id']),
      )),
    ],
    expected: [
      [
        ['update', '100.79', THE_SYSTEM],
        ['create', '100.79', ANN],
      ],
      FORBIDDEN,
      FORBIDDEN,
    ],
  },
  {
    name: 'another office cannot see it, nor write for its customers',
    act: async (stage) => {
      const flour = keyOf(stage, 'Flour');
      const seen = await each(stage, ['bob', 'cora'], (transport) =>
        transport.one('invoices', flour, ['total']),
      );
      return [...seen, await draft(stage, 'Elsewhere', [], { customer: 'C-200' })];
    },
    expected: [FORBIDDEN, { total: '100.79' }, FORBIDDEN],
  },
  {
    name: 'a clerk sets neither total, number nor status',
    act: async (stage) => {
      const sent = [{ total: '1' }, { number: 'INV-0' }, { status: 'paid' }];
      const answers: unknown[] = [];
      for (const more of sent) answers.push(await draft(stage, 'Cheating', [], more));
      return answers;
    },
    expected: [FORBIDDEN, FORBIDDEN, FORBIDDEN],
  },
  {
    name: 'bounds hold for bookkeepers too',
    act: async (stage) => {
      const transport = stage.transport('cora');
      const flour = keyOf(stage, 'Flour');
      const line = { invoice: flour, account: keyOf(stage, 'sales'), quantity: '0', price: '1' };
      return [
        outcome(await transport.create('invoice_lines', line, ['id'])),
        outcome(await transport.create('accounts', { code: 'x', name: 'None' }, ['id'])),
        outcome(await stage.client('cora').patch(`/items/invoices/${flour}`, { status: 'lost' })),
      ];
    },
    expected: ['FAILED_VALIDATION', 'FAILED_VALIDATION', 'FAILED_VALIDATION'],
  },
  {
    name: 'a write beyond the credit limit is rolled back, along with its audit entry',
    act: async (stage) => {
      const refused = await draft(stage, 'Silo', [['100', '10.01']]);
      const flour = keyOf(stage, 'Flour');
      const line = { account: keyOf(stage, 'sales'), quantity: '100', price: '10' };
      const more = await stage
        .transport('ann')
        .update('invoices', flour, { lines: { create: [line] } }, ['id']);
      const left = await stage.transport('ann').one('invoices', flour, ['total']);
      return [
        refused,
        ...[await count(stage, 'invoices', 'Silo'), await count(stage, 'audit_entries', 'Silo')],
        ...[outcome(more), outcome(left), await count(stage, 'audit_entries', 'Flour')],
      ];
    },
    expected: ['CREDIT_LIMIT_EXCEEDED', 0, 0, 'CREDIT_LIMIT_EXCEEDED', { total: '100.79' }, 2],
  },
  {
    name: 'a stale version is refused',
    act: async (stage) => {
      const flour = keyOf(stage, 'Flour');
      const title = titled(stage, 'Flour');
      return outcome(
        await stage.transport('ann').update('invoices', flour, { title, version: 1 }, ['id']),
      );
    },
    expected: 'VERSION_CONFLICT',
  },
];

export const SCENARIOS: readonly Scenario[] = [...READING, ...WRITING, ...OWN];
