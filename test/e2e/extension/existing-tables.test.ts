import { type SeedData, create, read, remove, seed, update, type World } from '../../factories';
import { type Reply, startTestApp } from '../../support';
import { BIG, ODD, viewsAndExposed } from './existing-tables.cases';
import { LEGACY } from './legacy';

const MINE = { rep: { _eq: '$CURRENT_USER' } };
const SEED: SeedData = {
  policies: {
    selling: [
      read('customers', ['code', 'name', 'lines'], MINE),
      update('customers', ['name', 'lines'], MINE),
      read('order_lines', ['number', 'amount', 'customer'], { customer: MINE }),
      create('order_lines', ['number', 'amount', 'quantity', 'customer'], { customer: MINE }),
      remove('order_lines', { amount: { _lt: 10 } }),
      read('balances', ['code', 'total'], { customer: MINE }),
    ],
  },
  users: { ann: { policies: ['selling'] } },
};

const ODD_PATH = `/items/customers/${encodeURIComponent(ODD)}`;
const RED = '00000000-0000-4000-8000-00000000000a';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: LEGACY }), SEED);
  const admin = world.as('admin');
  await admin.post('/items/tags', { id: RED, label: 'red' });
  const customers = [
    { code: ODD, name: 'Odd', note: 'hidden note', rep: world.id('ann'), tags: [RED] },
    { code: 'B', name: 'Bee', lines: [{ number: 1, amount: '5.00' }] },
  ];
  const { status, text } = await admin.post('/items/customers', customers);
  if (status !== 200) throw new Error(text);
});

afterAll(() => world.app.close());

const graphql = (name: string, query: string, variables: object = {}): Promise<Reply> =>
  world.as(name).post('/graphql', { query, variables });
const faults = ({ body }: Reply): unknown[] =>
  (body as { errors: { extensions: object }[] }).errors.map(({ extensions }) => extensions);

describe('a key made by the client', () => {
  it('may be any text, in paths, in bodies and in GraphQL', async () => {
    const admin = world.as('admin');
    expect((await admin.get(`${ODD_PATH}?fields=code,note`)).data).toEqual({
      code: ODD,
      note: 'hidden note',
    });
    const changed = await admin.patch('/items/customers', { keys: [ODD], data: { note: 'n' } });
    expect(changed.status).toBe(200);
    const { data } = await graphql(
      'admin',
      `
        query ($id: ID!) {
          customers_by_id(id: $id) {
            code
            note
            tags {
              label
            }
            rep {
              email
            }
          }
        }
      `,
      { id: ODD },
    );
    const rep = { email: 'ann@example.com' };
    const tags = [{ label: 'red' }];
    expect(data).toEqual({ customers_by_id: { code: ODD, note: 'n', tags, rep } });
  });

  it.each([
    ['customers', { name: 'x' }, 'code'],
    ['customers', { code: '', name: 'x' }, 'code'],
    ['order_lines', { amount: '1', quantity: 77, customer: 'B' }, 'number'],
    ['tags', { label: 'x' }, 'id'],
  ])('of %s is required: %j is refused', async (collection, payload, field) => {
    const required = [
      expect.objectContaining({ code: 'FAILED_VALIDATION', field, type: 'required' }),
    ];
    const rest = await world.as('admin').post(`/items/${collection}`, payload);
    expect([rest.status, faults(rest)]).toEqual([400, required]);
    const query = `mutation ($data: create_${collection}_input!) { create_${collection}_item(data: $data) { ${field} } }`;
    expect(faults(await graphql('admin', query, { data: payload }))).toEqual(required);
    const many = await world.as('admin').post(`/items/${collection}`, Array(5).fill(payload));
    expect(many.codes).toContain('FAILED_VALIDATION');
  });

  it('beyond 2^53 is a string in REST and GraphQL, and below only in GraphQL', async () => {
    const admin = world.as('admin');
    const line = { number: BIG, amount: '7.5', quantity: 2, customer: 'B' };
    const made = await admin.post('/items/order_lines', line);
    expect(made.data).toEqual({ ...line, amount: '7.50' });
    const one = await admin.get(`/items/order_lines/${BIG}?fields=number`);
    expect(one.data).toEqual({ number: BIG });
    const { data } = await graphql(
      'admin',
      `{ one: order_lines_by_id(id: "${BIG}") { number }
         all: order_lines(filter: {number: {_gt: 0}}, sort: ["number"]) { number } }`,
    );
    expect(data).toEqual({ one: { number: BIG }, all: [{ number: '1' }, { number: BIG }] });
    expect((await admin.get('/items/order_lines/9007199254740992')).status).toBe(403);
    expect((await admin.delete('/items/order_lines', [BIG])).status).toBe(204);
  });

  it('links a row if it is sent alone, and never creates one', async () => {
    const admin = world.as('admin');
    const unseen = '00000000-0000-4000-8000-0000000000ff';
    const linked = await admin.patch('/items/customers/B?fields=tags.label', {
      tags: [{ id: RED }],
    });
    expect(linked.data).toEqual({ tags: [{ label: 'red' }] });
    const refused = await admin.patch('/items/customers/B', { tags: [{ id: unseen }] });
    expect([refused.status, refused.codes]).toEqual([400, ['INVALID_FOREIGN_KEY']]);
    const empty = await admin.patch('/items/customers/B', { lines: [''] });
    expect([empty.status, empty.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
  });
});

describe('columns of other names', () => {
  it('are filtered, sorted, grouped and aggregated by their fields', async () => {
    const { data } = await world
      .as('admin')
      .get(
        '/items/customers?fields=name,lines.amount&filter[lines][_some][amount][_lt]=6&sort=-name',
      );
    expect(data).toEqual([{ name: 'Bee', lines: [{ amount: '5.00' }] }]);
    const grouped = await graphql(
      'admin',
      '{ order_lines_aggregated(groupBy: ["customer"]) { group sum { amount quantity } } }',
    );
    expect(grouped.data).toEqual({
      order_lines_aggregated: [
        { group: { customer: 'B' }, sum: { amount: '5.00', quantity: '1' } },
      ],
    });
    const none = await world.as('admin').get('/items/customers?fields=Cust%20Name');
    expect(none.status).toBe(403);
  });

  it.each([
    ['a taken key', 'tags', { id: RED, label: 'new' }, 'RECORD_NOT_UNIQUE', 'id'],
    [
      'a taken value',
      'tags',
      { id: RED.replace('a', 'b'), label: 'red' },
      'RECORD_NOT_UNIQUE',
      'label',
    ],
    [
      'a key that is too long',
      'customers',
      { code: 'x'.repeat(21), name: 'x' },
      'VALUE_TOO_LONG',
      'code',
    ],
    [
      'a reference that is too long for a key',
      'order_lines',
      { number: 9, amount: 1, customer: 'x'.repeat(21) },
      'VALUE_TOO_LONG',
      'customer',
    ],
    [
      'a missing target',
      'order_lines',
      { number: 9, amount: 1, customer: 'nobody' },
      'INVALID_FOREIGN_KEY',
      'customer',
    ],
    ['a missing value', 'order_lines', { number: 9, customer: 'B' }, 'FAILED_VALIDATION', 'amount'],
    [
      'too large a value',
      'order_lines',
      { number: 9, amount: '12345678901', customer: 'B' },
      'VALUE_OUT_OF_RANGE',
      'amount',
    ],
  ])('are reported by their fields: %s', async (_, collection, payload, code, field) => {
    const reply = await world.as('admin').post(`/items/${collection}`, payload);
    expect([reply.status, faults(reply)]).toEqual([
      400,
      [expect.objectContaining({ code, field })],
    ]);
  });

  it('are all reported by their fields if a constraint has several', async () => {
    const line = { number: 9, amount: 1, quantity: 1, customer: 'B' };
    const reply = await world.as('admin').post('/items/order_lines', line);
    expect(reply.codes[0]).toBe('RECORD_NOT_UNIQUE');
    expect(reply.text).toContain('quantity');
    expect(reply.text).not.toContain('cust_ref');
  });

  it('follow rules, rows and fields', async () => {
    const ann = world.as('ann');
    expect((await ann.get('/items/customers?fields=*')).data).toEqual([{ code: ODD, name: 'Odd' }]);
    for (const path of ['fields=note', 'filter[note][_null]=true', 'sort=note', 'search=hidden']) {
      const { status, data } = await ann.get(`/items/customers?${path}`);
      expect([status, path.startsWith('search') ? data : []]).toEqual([
        path.startsWith('search') ? 200 : 403,
        [],
      ]);
    }
    expect((await ann.get('/items/customers/B')).status).toBe(403);
    const nested = await ann.patch(`${ODD_PATH}?fields=name,lines.amount`, {
      name: 'Odder',
      lines: [
        { number: 20, amount: '9.99' },
        { number: 21, amount: '20', quantity: 2 },
      ],
    });
    expect(nested.data).toEqual({
      name: 'Odder',
      lines: [{ amount: '9.99' }, { amount: '20.00' }],
    });
    const stolen = await ann.post('/items/order_lines', { number: 22, amount: 1, customer: 'B' });
    expect(stolen.codes).toEqual(['FORBIDDEN']);
    expect((await ann.delete('/items/order_lines/21')).status).toBe(403);
    expect((await ann.delete('/items/order_lines/20')).status).toBe(204);
    const counted = await graphql('ann', '{ order_lines_aggregated { count { number } } }');
    expect(counted.data).toEqual({ order_lines_aggregated: [{ count: { number: 1 } }] });
  });

  it('are logged by their fields, even if the database deletes the row', async () => {
    const admin = world.as('admin');
    await admin.post('/items/customers', { code: 'C', name: 'See' });
    await admin.post('/items/order_lines', {
      number: '90071992547409931',
      amount: 3,
      customer: 'C',
    });
    expect((await admin.delete('/items/customers/C')).status).toBe(204);
    const { data } = await admin.get(
      '/activity?sort=-id&limit=2&fields=action,collection,item,before',
    );
    expect(data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ action: 'delete', collection: 'order_lines', item: '90071992547409931' },
          before: expect.objectContaining({ amount: '3.00', customer: 'C' }) as unknown,
        }),
        expect.objectContaining({ action: 'delete', collection: 'customers', item: 'C' }),
      ]),
    );
  });

  it('get marks, and so do views', async () => {
    const rows = await world.app.database.query<{ at: string }>(`
      SELECT d.objoid::regclass::text || '.' || coalesce(a.attname, '') AS at FROM pg_description d
      LEFT JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid AND a.attnum > 0
      WHERE d.description LIKE '%[doorward:%'`);
    const marked = rows.map(({ at }) => at);
    const expected = [
      'legacy.tbl_customer.we"ird',
      'legacy."Order Line".OL_ID',
      'legacy.v_balance.total',
    ];
    expect(marked).toEqual(expect.arrayContaining([...expected, 'legacy.v_balance.']));
  });

  it('are not mixed up with those of a table of the same name in another schema', async () => {
    const made = await world.as('admin').post('/items/old_customers', { name: 'Older' });
    expect(made.data).toEqual({ id: 1, name: 'Older' });
  });
});

viewsAndExposed(() => world);
