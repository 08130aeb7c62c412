import type { World } from '../../../factories';
import type { Reply } from '../../../support';
import { fault, openOrders, rule } from './orders';

let world: World;

beforeAll(async () => {
  world = await openOrders();
});

afterAll(() => world.app.close());

const create = async (name: string, body: object): Promise<Record<string, unknown>> =>
  (await world.as(name).post('/items/orders?fields=*', body)).data;

const update = (name: string, id: unknown, body: object): Promise<Reply> =>
  world.as(name).patch(`/items/orders/${String(id)}?fields=*`, body);

describe('A field that the service fills', () => {
  it('is filled when an item is created', async () => {
    const before = Date.now();
    const made = await create('ann', { note: 'a' });
    const ann = world.id('ann');
    expect(made).toMatchObject({ made_by: ann, changed_by: ann, version: 1, state: 'new' });
    expect(made['made_at']).toBe(made['changed_at']);
    expect(Date.parse(String(made['made_at']))).toBeGreaterThanOrEqual(before);
  });

  it('records the time and the user of each update', async () => {
    const made = await create('ann', { note: 'a' });
    const { data } = await update('admin', made['id'], { note: 'b' });
    expect(data).toMatchObject({
      ...{ made_by: world.id('ann'), made_at: made['made_at'], version: 2 },
      changed_by: world.id('admin'),
    });
    expect(Date.parse(String(data['changed_at']))).toBeGreaterThan(
      Date.parse(String(made['made_at'])),
    );
  });

  it('is not changed by an update that changes nothing', async () => {
    const made = await create('ann', { note: 'a' });
    expect((await update('admin', made['id'], {})).data).toEqual(made);
  });

  it('is filled in each of many items, in nested writes and by hooks', async () => {
    const bodies = [1, 2, 3, 4, 5].map((at) => ({ note: `n${at}`, lines: [{ text: 't' }] }));
    const made = await world.as('ann').post('/items/orders?fields=*,lines.*', bodies);
    const rows = made.data as unknown as { id: number; lines: { id: number }[] }[];
    expect(rows).toMatchObject(
      bodies.map(() => ({ version: 1, made_by: world.id('ann'), lines: [{ edition: 1 }] })),
    );
    const changed = await world
      .as('ann')
      .patch('/items/orders?fields=*', { keys: rows.map(({ id }) => id), data: { note: 'all' } });
    expect(changed.data).toMatchObject(bodies.map(() => ({ version: 2, note: 'all' })));
    const each = await world.as('ann').patch(
      '/items/orders?fields=*',
      rows.map(({ id }, at) => ({ id, note: `m${at}`, version: 2 })),
    );
    expect(each.data).toMatchObject(bodies.map((_, at) => ({ version: 3, note: `m${at}` })));
    const [line] = rows[0]?.lines ?? [];
    await world.as('ann').patch(`/items/order_lines/${line?.id}`, { text: 'new' });
    const { data } = await world.as('ann').get(`/items/orders/${rows[0]?.id}`);
    expect(data).toMatchObject({ version: 4, note: 'line' });
  });

  it('leaves one log entry for each write', async () => {
    const { id } = await create('ann', { note: 'a' });
    await update('ann', id, { note: 'b' });
    const filter = JSON.stringify({ collection: { _eq: 'orders' }, item: { _eq: String(id) } });
    const { data } = await world.as('admin').get(`/activity?sort=-id&filter=${filter}`);
    expect(data).toMatchObject([{ action: 'update' }, { action: 'create' }]);
  });
});

describe('No one can send', () => {
  const SENT: [string, unknown][] = [
    ['state', 'old'],
    ['made_at', '2020-01-01T00:00:00Z'],
    ['changed_at', null],
    ['made_by', null],
    ['changed_by', null],
  ];

  it.each(SENT)('%s, not even an administrator', async (field, value) => {
    const { id } = await create('admin', { note: 'a' });
    for (const name of ['admin', 'ann']) {
      const sent = { [field]: value, note: 'b' };
      expect(fault(await update(name, id, sent))).toEqual([400, 'INVALID_PAYLOAD', field]);
      const made = await world.as(name).post('/items/orders', sent);
      expect(fault(made)).toEqual([400, 'INVALID_PAYLOAD', field]);
    }
    expect((await world.as('admin').get(`/items/orders/${String(id)}`)).data).toMatchObject({
      ...{ note: 'a', state: 'new', version: 1 },
    });
  });

  it('a hidden field, which is refused like one that does not exist', async () => {
    const { id } = await create('admin', { note: 'a' });
    const refused = await update('hal', id, { state: 'x' });
    expect(fault(refused)).toEqual([403, 'FORBIDDEN', 'state']);
    expect(refused.text).toBe(
      (await update('hal', id, { stete: 'x' })).text.replaceAll('stete', 'state'),
    );
  });

  it('a version of a new item', async () => {
    const made = await world.as('admin').post('/items/orders', { version: 3 });
    expect(fault(made)).toEqual([400, 'INVALID_PAYLOAD', 'version']);
  });

  it('a foreign key that the service fills, through a list', async () => {
    const { id } = await create('admin', { note: 'a' });
    const [bill] = (await world.as('admin').post('/items/order_bills', [{}])).data as unknown as {
      id: number;
    }[];
    for (const bills of [[bill?.id], [{}]]) {
      const reply = await update('admin', id, { bills });
      expect(fault(reply)).toEqual([400, 'INVALID_PAYLOAD', 'order']);
    }
  });

  it('such a field by the preset of a rule', async () => {
    const policy = world.id('clerk');
    const preset = (action: string, presets: object) =>
      world.as('admin').post('/permissions', { ...rule(action, 'orders', { presets }), policy });
    for (const presets of [{ state: 'x' }, { made_by: '$CURRENT_USER' }, { version: 2 }]) {
      expect((await preset('create', presets)).status).toBe(400);
    }
    expect((await preset('update', { code: 'x' })).status).toBe(400);
    const made = await preset('create', { code: 'x' });
    expect(made.status).toBe(200);
    await world.as('admin').delete(`/permissions/${String(made.data['id'])}`);
  });
});

describe('A field that is set once', () => {
  it('may be set later, but not changed afterwards', async () => {
    const { id } = await create('admin', { note: 'a' });
    expect((await update('ann', id, { code: 'A1' })).data).toMatchObject({ code: 'A1' });
    for (const name of ['admin', 'ann']) {
      const refused = await update(name, id, { code: 'A2', note: 'b' });
      expect(fault(refused)).toEqual([400, 'INVALID_PAYLOAD', 'code']);
    }
    const kept = await world.as('admin').get(`/items/orders/${String(id)}`);
    expect(kept.data).toMatchObject({ code: 'A1', note: 'a' });
  });

  it('is not set for many if one of them has a value', async () => {
    const [one, two] = [await create('admin', {}), await create('admin', { code: 'B' })];
    const keys = [one['id'], two['id']];
    const refused = await world.as('admin').patch('/items/orders', { keys, data: { code: 'C' } });
    expect(fault(refused)).toEqual([400, 'INVALID_PAYLOAD', 'code']);
    const kept = await world.as('admin').get(`/items/orders/${String(one['id'])}`);
    expect(kept.data).toMatchObject({ code: null });
  });

  it('is not changed through a list either', async () => {
    const made = await world
      .as('admin')
      .post('/items/orders?fields=id,lines', { lines: [{ text: 'mine' }] });
    const other = await create('admin', {});
    const refused = await update('admin', other['id'], { lines: made.data['lines'] as object });
    expect(fault(refused)).toEqual([400, 'INVALID_PAYLOAD', 'order']);
    const left = await update('admin', made.data['id'], { lines: [] });
    expect(fault(left)).toEqual([400, 'INVALID_PAYLOAD', 'order']);
  });
});

it('is never described as required of those who cannot send it', async () => {
  const { data } = await world.as('admin').get('/fields/order_bills/place');
  expect(data).toMatchObject({ meta: { readonly: true, required: false } });
});

interface FieldFacts {
  readonly field: string;
  readonly write_once: boolean;
  readonly meta: { readonly readonly: boolean; readonly required: boolean };
}

it('is described', async () => {
  const { data } = await world.as('admin').get('/fields/orders');
  const facts = (data as unknown as FieldFacts[]).map(({ field, write_once, meta }) => [
    ...[field, meta.readonly, write_once, meta.required],
  ]);
  expect(facts).toEqual([
    ...[
      ['id', false, false, false],
      ['code', false, true, false],
    ],
    ...[
      ['note', false, false, false],
      ['state', true, false, false],
    ],
    ...['made_at', 'changed_at', 'made_by', 'changed_by', 'version'].map((name) => [
      ...[name, true, false, false],
    ]),
    ...[
      ['lines', false, false, false],
      ['bills', false, false, false],
    ],
  ]);
});
