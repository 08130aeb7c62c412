import { type Reply, replyAfterWait, describeOnPostgres } from '../../support';
import { type LotsWorld, openLotsWorld } from '../../e2e/extension/lots-world';

let world: LotsWorld;

beforeAll(async () => {
  world = await openLotsWorld(false);
});

afterAll(() => world.app.close());

// With one connection there are no locks to wait for.
describeOnPostgres('25: an update of a row that another transaction has just changed', () => {
  /** Sends the request while the change is not committed yet, and commits once the request waits for it. */
  const whileChanging = (change: string, work: () => Promise<Reply>): Promise<Reply> =>
    replyAfterWait(world.app.database, (tx) => tx.query(change), work);

  it.each([
    ['so that the rule fails', (id: number) => `UPDATE lots SET stage = 'shut' WHERE id = ${id}`],
    ['by deleting it', (id: number) => `DELETE FROM lots WHERE id = ${id}`],
  ])('%s changes nothing', async (_, change) => {
    for (const sent of [{ qty: 2 }, { code: 'waited' }, { qty: -1 }, { price: '12345.00' }]) {
      const id = await world.put({ qty: 1 });
      const reply = await whileChanging(change(id), () => world.patch('ann', id, sent));
      expect(reply.codes).toEqual(['FORBIDDEN']);
      expect([1, undefined]).toContain((await world.stored(id))['qty']);
      expect(await world.entry(id)).toBeUndefined();
    }
  });

  it('is logged, judged and answered with the values that the other transaction left', async () => {
    const id = await world.put({ qty: 1 });
    const change = `UPDATE lots SET qty = 50, title = 'Theirs', price = 3 WHERE id = ${id}`;
    const reply = await whileChanging(change, () =>
      world.patch('ann', id, { qty: 2, title: 'Theirs' }),
    );
    expect(reply.data).toMatchObject({ qty: 2, title: 'Theirs', price: '3.00', note: 'preset' });
    expect(await world.entry(id)).toEqual({
      fields: ['note', 'qty'],
      before: { qty: 50, note: null },
      after: { qty: 2, note: 'preset' },
    });
  });

  it('is refused if it is invalid with the values that the other transaction left', async () => {
    const id = await world.put({ qty: 1 });
    const change = `UPDATE lots SET qty = 200 WHERE id = ${id}`;
    const reply = await whileChanging(change, () => world.patch('ann', id, { title: 'Mine' }));
    expect(reply.codes).toEqual(['FAILED_VALIDATION']);
    expect(await world.stored(id)).toMatchObject({ qty: 200, title: 'A lot' });
  });

  it('is answered with what its writer may read afterwards', async () => {
    const id = await world.put({ qty: 1 });
    const change = `UPDATE lots SET stage = 'hidden' WHERE id = ${id}`;
    const reply = await whileChanging(change, () => world.patch('admin', id, { qty: 2 }));
    expect(reply.data).toMatchObject({ qty: 2, stage: 'hidden' });
    const hidden = await world.put({ qty: 1 });
    const twice = await whileChanging(`UPDATE lots SET qty = 3 WHERE id = ${hidden}`, () =>
      world.patch('ann', hidden, { stage: 'hidden' }),
    );
    expect([twice.status, twice.text]).toEqual([204, '']);
  });
});
