import type { Reply } from '../../support';
import { seen } from './lots.fixtures';
import { type Cells, type LotsWorld, openLotsWorld } from './lots-world';

let world: LotsWorld;

beforeAll(async () => {
  world = await openLotsWorld(false);
});

afterAll(() => world.app.close());

describe('An update of one row with hooks', () => {
  it.each<[string, Cells, readonly string[], string]>([
    ['prepared', { title: 'Prepared', qty: 2 }, ['prepare'], 'WITH'],
    ['before', { title: 'Was 1', qty: 2 }, ['before 1 1'], 'SELECT'],
    ['stored', { title: 'Stored', qty: 2 }, ['to stored 1'], 'SELECT'],
    ['after', { title: 'After', qty: 4 }, ['after 2'], 'WITH'],
    ['needing', { title: 'A lot', qty: 2 }, ['needing 1 2'], 'SELECT'],
    ['following', { title: 'A lot', qty: 2 }, ['following'], 'WITH'],
  ])(
    '%s: each hook gets the expected rows, and the answer shows what it wrote',
    async (kind, after, said, first) => {
      const table = `lots_${kind}`;
      const id = await world.put({ qty: 1 }, table);
      seen.splice(0);
      const who = kind === 'prepared' ? 'admin' : 'ann';
      const work = () => world.as(who).patch(`/items/${table}/${id}`, { qty: 2 });
      const heard = { reply: undefined as Reply | undefined };
      const [text = ''] = await world.writesOf(async () => (heard.reply = await work()));
      expect(text.split(' ', 1)).toEqual([first]);
      await world.app.database.backgroundWork.settled(5_000);
      expect(heard.reply?.data).toEqual({ id, ...after });
      expect(await world.stored(id, table)).toEqual({ id, ...after });
      expect(seen).toEqual(said);
    },
  );

  it('that also write make the row be checked after their writes', async () => {
    const id = await world.put({ qty: 1 }, 'lots_after');
    const reply = await world.as('ann').patch(`/items/lots_after/${id}`, { qty: 600 });
    expect(reply.codes).toEqual(['FAILED_VALIDATION']);
    expect((await world.stored(id, 'lots_after'))['qty']).toBe(1);
  });
});
