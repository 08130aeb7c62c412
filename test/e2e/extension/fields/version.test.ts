import type { World } from '../../../factories';
import type { Reply } from '../../../support';
import { fault, openOrders } from './orders';

let world: World;

beforeAll(async () => {
  world = await openOrders();
});

afterAll(() => world.app.close());

const create = async (name: string, body: object): Promise<Record<string, unknown>> =>
  (await world.as(name).post('/items/orders?fields=*', body)).data;

const update = (name: string, id: unknown, body: object): Promise<Reply> =>
  world.as(name).patch(`/items/orders/${String(id)}?fields=*`, body);

describe('A version', () => {
  it('that is not the stored one is a conflict', async () => {
    const { id } = await create('ann', { note: 'a' });
    expect((await update('ann', id, { note: 'b', version: 1 })).data).toMatchObject({ version: 2 });
    for (const name of ['admin', 'ann']) {
      const refused = await update(name, id, { note: 'c', version: 1 });
      expect(fault(refused)).toEqual([409, 'VERSION_CONFLICT', 'version']);
    }
    expect((await update('ann', id, { note: 'd' })).data).toMatchObject({ version: 3, note: 'd' });
    expect((await update('ann', id, { version: 3 })).data).toMatchObject({ version: 4 });
  });

  it.each([null, 'one', 1.5, [], {}])('that is invalid is refused: %j', async (version) => {
    const { id } = await create('ann', { note: 'a' });
    const reply = await update('ann', id, { note: 'b', version });
    expect([reply.status, (fault(reply) as unknown[])[2]]).toEqual([400, 'version']);
  });

  it('accepts one of several writes that are based on the same version', async () => {
    const { id } = await create('ann', { note: 'a' });
    const all = await Promise.all(
      ['w', 'x', 'y', 'z'].map((note) => update('ann', id, { note, version: 1 })),
    );
    expect(all.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409,
    ]);
    expect((await world.as('ann').get(`/items/orders/${String(id)}`)).data).toMatchObject({
      version: 2,
    });
  });

  it('is checked for each of many items, all or nothing', async () => {
    const rows = [await create('ann', {}), await create('ann', {})];
    await update('ann', rows[1]?.['id'], { note: 'seen' });
    const stale = rows.map(({ id }) => ({ id, note: 'new', version: 1 }));
    const refused = await world.as('ann').patch('/items/orders', stale);
    expect(fault(refused)).toEqual([409, 'VERSION_CONFLICT', 'version']);
    const kept = await world.as('ann').get(`/items/orders/${String(rows[0]?.['id'])}`);
    expect(kept.data).toMatchObject({ note: null, version: 1 });
  });

  it('of a nested item is checked too', async () => {
    const lines = [{ text: 'a' }];
    const { data } = await world.as('ann').post('/items/orders?fields=*,lines.*', { lines });
    const [line] = data['lines'] as { id: number }[];
    const sent = (edition: number) => ({ lines: [{ id: line?.id, text: 'b', edition }] });
    const stale = await update('ann', data['id'], sent(7));
    expect(fault(stale)).toEqual([409, 'VERSION_CONFLICT', 'edition']);
    expect((await update('ann', data['id'], sent(1))).status).toBe(200);
  });

  it('is always a conflict for callers who may not read it, so they cannot guess it', async () => {
    const [own, others] = [await create('hal', { note: 'h' }), await create('ann', {})];
    expect((await update('hal', own['id'], { note: 'i', version: 1 })).status).toBe(200);
    for (const version of [1, 2]) {
      const refused = await update('hal', others['id'], { note: 'i', version });
      expect(fault(refused)).toEqual([409, 'VERSION_CONFLICT', 'version']);
      const blind = await world.as('eve').patch(`/items/orders/${String(others['id'])}`, {
        ...{ note: 'i', version },
      });
      expect(blind.status).toBe(409);
    }
  });

  it('is refused like a missing field to callers who may never read or write it', async () => {
    const { id } = await create('ann', { note: 'a' });
    const sent = async (field: string): Promise<string> =>
      (await world.as('ned').patch(`/items/orders/${String(id)}`, { note: 'b', [field]: 1 })).text;
    expect(await sent('version')).toContain('FORBIDDEN');
    expect(await sent('version')).toBe((await sent('missing')).replaceAll('missing', 'version'));
  });
});

describe('By GraphQL', () => {
  const send = (name: string, query: string): Promise<Reply> =>
    world.as(name).post('/graphql', { query });

  it('fields are filled, and versions checked, in the same way', async () => {
    const made = await send(
      'ann',
      'mutation { create_orders_item(data: {note: "g"}) { id version note } }',
    );
    const { id, ...rest } = made.data['create_orders_item'] as Record<string, unknown>;
    expect(rest).toEqual({ version: 1, note: 'g' });
    const change = (version: number) =>
      send(
        'ann',
        `mutation { update_orders_item(id: ${String(id)}, data: {note: "h", version: ${version}}) { version } }`,
      );
    expect((await change(1)).data).toEqual({ update_orders_item: { version: 2 } });
    expect((await change(1)).codes).toEqual(['VERSION_CONFLICT']);
  });

  it('the inputs lack what clients cannot send', async () => {
    const fields = async (input: string): Promise<string[]> => {
      const { data } = await send('admin', `{ __type(name: "${input}") { inputFields { name } } }`);
      const type = data['__type'] as { inputFields: { name: string }[] };
      return type.inputFields.map(({ name }) => name);
    };
    const sent = ['id', 'code', 'note', 'lines', 'bills'];
    expect(await fields('create_orders_input')).toEqual(sent);
    expect(await fields('update_orders_input')).toEqual([
      ...sent.slice(0, 3),
      'version',
      'lines',
      'bills',
    ]);
  });
});
