import { audit, count, draft, each, keyOf, outcome, type Scenario, titled } from './acting';

const ANN = 'ann@example.com';
const CLOSED = 'BOOKS_CLOSED';
const FORBIDDEN = 'FORBIDDEN';

/** The module's own resolver, route and guard; users; managed rows. */
export const OWN: readonly Scenario[] = [
  {
    name: 'issuing gives a number once, even if two users ask at the same time',
    act: async (stage) => {
      const issue = (): Promise<unknown> =>
        stage.transport('ann').issue(keyOf(stage, 'Flour')).then(outcome);
      const answers = (await Promise.all([issue(), issue()])).map(String).toSorted();
      const fields = ['status', 'number'];
      const { data } = await stage.transport('ann').one('invoices', keyOf(stage, 'Flour'), fields);
      const { status, number } = data as { status: string; number: string };
      return [answers[0], answers[1] === number, /^INV-\d+$/.test(number), status];
    },
    expected: ['ALREADY_ISSUED', true, true, 'issued'],
  },
  {
    name: 'an invoice without lines cannot be issued, and takes no number',
    act: async (stage) => {
      await draft(stage, 'Empty', []);
      const next = (): Promise<unknown> =>
        stage.transport('cora').readSingleton('invoicing_settings', ['next_number']).then(outcome);
      const before = JSON.stringify(await next());
      const refused = outcome(await stage.transport('ann').issue(keyOf(stage, 'Empty')));
      return [refused, JSON.stringify(await next()) === before];
    },
    expected: ['NOTHING_TO_PAY', true],
  },
  {
    name: 'a clerk can neither change nor issue an issued invoice or one of another office',
    act: async (stage) => {
      const update = { title: titled(stage, 'Flour') };
      const flour = keyOf(stage, 'Flour');
      return [
        outcome(await stage.transport('ann').update('invoices', flour, update, ['id'])),
        outcome(await stage.transport('bob').issue(keyOf(stage, 'Empty'))),
        outcome(await stage.transport('nobody').issue(keyOf(stage, 'Empty'))),
      ];
    },
    expected: [FORBIDDEN, FORBIDDEN, FORBIDDEN],
  },
  {
    name: 'while the books are closed the guard prevents issuing',
    act: async (stage) => {
      const close = (books_open: boolean) =>
        stage
          .transport('cora')
          .updateSingleton('invoicing_settings', { books_open }, ['books_open']);
      const closed = outcome(await close(false));
      const empty = keyOf(stage, 'Empty');
      const asked = await each(stage, ['ann', 'admin'], (transport) => transport.issue(empty));
      return [
        closed,
        ...asked,
        outcome(await close(true)),
        ...(await each(stage, ['admin'], (transport) => transport.issue(empty))),
      ];
    },
    expected: [{ books_open: false }, CLOSED, CLOSED, { books_open: true }, 'NOTHING_TO_PAY'],
  },
  {
    name: 'settings are one row, which users see and change as the rules say',
    act: async (stage) => [
      ...(await each(stage, ['ann', 'cora'], (transport) =>
        transport.readSingleton('invoicing_settings', ['prefix']),
      )),
      ...(await each(stage, ['ann', 'cora'], (transport) =>
        transport.updateSingleton('invoicing_settings', { prefix: 'X' }, ['prefix']),
      )),
    ],
    expected: [FORBIDDEN, { prefix: 'INV-' }, FORBIDDEN, FORBIDDEN],
  },
  {
    name: 'a deleted invoice stays in the audit',
    act: async (stage) => {
      const empty = keyOf(stage, 'Empty');
      const removed = await each(stage, ['ann', 'cora'], (transport) =>
        transport.remove('invoices', empty),
      );
      return [removed[0], await count(stage, 'invoices', 'Empty'), await audit(stage, 'Empty')];
    },
    expected: [
      FORBIDDEN,
      0,
      [
        ['create', '0.00', ANN],
        ['delete', '0.00', 'cora@example.com'],
      ],
    ],
  },
  {
    name: 'a deleted label is kept but hidden, and its name can be used again',
    act: async (stage) => {
      const label = keyOf(stage, 'label');
      const name = titled(stage, 'Urgent');
      const removed = await each(stage, ['ann', 'cora'], (transport) =>
        transport.remove('labels', label),
      );
      const left = await each(stage, ['cora', 'admin'], (transport) =>
        transport.one('labels', label, ['name']),
      );
      const path = `/items/labels?fields=name&deleted=only&filter[id][_eq]=${label}`;
      const kept = await stage.client('cora').get<{ name: string }[]>(path);
      const again = await stage.transport('cora').create('labels', { name }, ['name']);
      return [removed[0], ...left, kept.data[0]?.name === name, again.codes];
    },
    expected: [FORBIDDEN, FORBIDDEN, FORBIDDEN, true, []],
  },
  {
    name: 'users have the additional field, which some may see and none may change for themselves',
    act: async (stage) => {
      const filter = encodeURIComponent(JSON.stringify({ office: { _eq: 'North' } }));
      const path = `/users?fields=email,office&filter=${filter}`;
      const listed = await stage.client('cora').get(path);
      const query = '{ users(filter: {office: {_eq: "North"}}) { email office } }';
      const same = await stage.client('cora').graphql(query, {}, '/graphql/system');
      const own = await stage.client('ann').patch('/users/me', { office: 'South' });
      return [listed.data, same.data, own.codes];
    },
    expected: [
      [{ email: ANN, office: 'North' }],
      { users: [{ email: ANN, office: 'North' }] },
      [FORBIDDEN],
    ],
  },
  {
    name: 'nobody can change policies of the module, not even administrators',
    act: async (stage) => {
      const filter = encodeURIComponent(JSON.stringify({ name: { _eq: 'Clerk' } }));
      const found = await stage.client('admin').get<{ id: string }[]>(`/policies?filter=${filter}`);
      const path = `/policies/${found.data[0]?.id ?? ''}`;
      return (await stage.client('admin').patch(path, { name: 'Mine' })).status;
    },
    expected: 403,
  },
];
