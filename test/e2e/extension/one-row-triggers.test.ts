import { type Cells, type LotsWorld, openLotsWorld } from './lots-world';

let world: LotsWorld;

beforeAll(async () => {
  world = await openLotsWorld(true);
});

afterAll(() => world.app.close());

describe('A row that a trigger of the database may change before it is updated', () => {
  it('is answered as it is stored', async () => {
    const id = await world.put({ qty: 1 });
    const reply = await world.patch('ann', id, { title: 'Turned' });
    expect(reply.text).toBe((await world.as('ann').get(`/items/lots/${id}`)).text);
    expect(await world.stored(id)).toMatchObject({ title: 'Turned', qty: 77 });
    // The log records what the service wrote.
    expect(await world.entry(id)).toMatchObject({ after: { note: 'preset', title: 'Turned' } });
  });

  it.each(['Lost', 'Raised'])('is not changed if the trigger refuses: %s', async (title) => {
    const id = await world.put({ qty: 1 });
    const was = await world.stored(id);
    const reply = await world.patch('ann', id, { title });
    expect(reply.codes).toEqual(['FAILED_VALIDATION']);
    expect(reply.text).not.toContain('never told');
    expect(await world.stored(id)).toEqual(was);
    expect(await world.entry(id)).toBeUndefined();
  });

  it.each(['Lost', 'Raised'])(
    'is refused with the same answer if it is out of reach and if it does not exist: %s',
    async (title) => {
      const shut = await world.patch('ann', await world.put({ stage: 'shut' }), { title });
      const none = await world.patch('ann', 999_999, { title });
      expect([shut.status, shut.codes, shut.text]).toEqual([403, ['FORBIDDEN'], none.text]);
      const missing = await world.patch('admin', 999_999, { title });
      expect([missing.status, missing.codes]).toEqual([403, ['FORBIDDEN']]);
    },
  );
});

describe('A row that a trigger of the database changes after it is stored', () => {
  const path = '/items/lots_turned';
  const change = (id: unknown, sent: Cells) => world.as('ann').patch(`${path}/${String(id)}`, sent);

  it('is answered as the trigger leaves it', async () => {
    const made = await world.as('ann').post(path, { qty: 2 });
    expect(made.data).toMatchObject({ qty: 4, title: 'Turned' });
    const { id } = made.data;
    expect((await change(id, { qty: 5 })).data).toEqual({ id, qty: 10, title: 'Turned' });
  });

  it('is checked as the trigger leaves it', async () => {
    const id = await world.put({ qty: 1 }, 'lots_turned');
    expect((await change(id, { qty: 600 })).codes).toEqual(['FAILED_VALIDATION']);
    expect((await world.as('ann').post(path, { qty: 600 })).codes).toEqual(['FORBIDDEN']);
    expect((await world.stored(id, 'lots_turned'))['qty']).toBe(2);
  });
});
