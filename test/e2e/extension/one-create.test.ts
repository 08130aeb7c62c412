import type { Reply } from '../../support';
import { type Cells, faults, FORBIDDEN, type LotsWorld, openLotsWorld, TABLES } from './lots-world';

let world: LotsWorld;

describe.each(TABLES)('A create of one row %s', (_table, triggered) => {
  beforeAll(async () => {
    world = await openLotsWorld(triggered);
  });

  afterAll(() => world.app.close());

  const make = (who: string, body: unknown, more = ''): Promise<Reply> =>
    world.as(who).post(`/items/lots${more}`, body);

  it.each<[string, string, Cells, Cells]>([
    ['by a rule, with its presets', 'ann', { qty: 2 }, { qty: 2, stage: 'open', note: 'made' }],
    ['by an administrator', 'admin', { qty: 500, stage: 'shut' }, { qty: 500, note: null }],
    ['with defaults of the database', 'ann', {}, { stage: 'open', qty: null }],
    ['with a value that the column rounds', 'ann', { price: '1.5' }, { price: '1.50' }],
  ])('%s is stored, and answered as the item is read', async (_, who, sent, after) => {
    const reply = await make(who, sent);
    const id = Number(reply.data['id']);
    expect(reply.text).toBe((await world.as(who).get(`/items/lots/${id}`)).text);
    expect(await world.stored(id)).toMatchObject(after);
    expect(Object.keys((await make(who, sent, '?fields=title,id')).data)).toEqual(['title', 'id']);
  });

  it('takes one statement, unless a trigger may change the row', async () => {
    const texts = await world.writesOf(() => make('ann', { qty: 2 }));
    expect(texts).toHaveLength(triggered ? 3 : 1);
  });

  it('is answered without a body if its writer may not read it', async () => {
    const reply = await make('ann', { title: 'Out of sight', stage: 'hidden' });
    expect([reply.status, reply.text]).toEqual([204, '']);
    const found = await world.app.database.query(`SELECT 1 FROM lots WHERE title = 'Out of sight'`);
    expect(found).toHaveLength(1);
  });

  it('uses another key if SQL has taken the next one', async () => {
    const next = Number((await make('ann', {})).data['id']) + 1;
    await world.app.database.query(`INSERT INTO lots (id, title) VALUES ($1, 'There')`, [next]);
    const reply = await make('ann', { title: 'Here' });
    expect(reply.data).toMatchObject({ id: next + 1, title: 'Here', note: 'made' });
  });

  it.each<[string, Cells, object]>([
    ['a row that no rule reaches', { stage: 'shut' }, FORBIDDEN],
    ['an invalid row', { qty: 100 }, { code: 'FAILED_VALIDATION', field: 'qty' }],
    ['a row that a constraint refuses', { qty: -1 }, { code: 'FAILED_VALIDATION', type: 'check' }],
    ['such a row that no rule reaches', { qty: -1, stage: 'shut' }, FORBIDDEN],
  ])('is refused: %s', async (_, sent, fault) => {
    const count = 'SELECT count(*)::int4 FROM lots';
    const before = await world.app.database.query(count);
    expect(faults(await make('ann', sent))?.[0]).toMatchObject(fault);
    expect(await world.app.database.query(count)).toEqual(before);
  });
});
