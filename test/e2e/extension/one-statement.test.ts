import { create, read, seed, update } from '../../factories';
import type { Reply } from '../../support';
import { type Cells, faults, type LotsWorld, openLotsWorld } from './lots-world';

/** More characters than an answer may hold. */
const TOO_LONG = 33 * 1024 * 1024;
const SMALL = { qty: { _lt: 100 } };

let world: LotsWorld;

beforeAll(async () => {
  world = await openLotsWorld(false);
});

afterAll(() => world.app.close());

const entries = async (): Promise<unknown> =>
  (await world.app.database.query('SELECT count(*)::int4 FROM service_activity'))[0];

/** Whether the statement that stores the row also checks it, and so may be the only one. */
const demands = async (work: () => Promise<Reply>): Promise<boolean> =>
  (await world.writesOf(work)).some((text) => text.includes('"$met"'));

describe('A write that may take a single statement', () => {
  it.each<[string, number, Cells, object]>([
    ['an invalid value', 1, { qty: 100 }, { code: 'FAILED_VALIDATION', field: 'qty', type: 'lt' }],
    [
      'a value that a constraint refuses',
      1,
      { qty: -1 },
      { code: 'FAILED_VALIDATION', type: 'check' },
    ],
    ['a value of another type', 1, { qty: 'many' }, { code: 'INVALID_PAYLOAD', field: 'qty' }],
    ['a row that does not exist', 999_999, { qty: 2 }, { code: 'FORBIDDEN' }],
  ])('is refused, and neither stored nor logged: %s', async (_, there, sent, fault) => {
    const id = there === 1 ? await world.put({ qty: 1 }) : there;
    const [was, before] = [await world.stored(id), await entries()];
    expect(faults(await world.patch('ann', id, sent))?.[0]).toMatchObject(fault);
    expect([await world.stored(id), await entries()]).toEqual([was, before]);
  });

  it('is refused if its answer would be too large', async () => {
    const id = await world.put({ qty: 1 });
    await world.app.database.query(`UPDATE lots SET title = repeat('x', $1) WHERE id = $2`, [
      TOO_LONG,
      id,
    ]);
    const before = await entries();
    expect((await world.patch('ann', id, { qty: 2 })).codes).toEqual(['INVALID_QUERY']);
    const number = 'SELECT qty FROM lots WHERE id = $1';
    expect(await world.app.database.query(number, [id])).toEqual([{ qty: 1 }]);
    expect(await entries()).toEqual(before);
    const short = await world.patch('ann', id, { qty: 3 }, '?fields=qty');
    expect([short.status, short.data]).toEqual([200, { qty: 3 }]);
    await world.app.database.query('DELETE FROM lots WHERE id = $1', [id]);
  });

  it('is answered, stored and logged once', async () => {
    const before = await entries();
    const made = await world.as('ann').post('/items/lots', { title: 'One', qty: 3 });
    const id = Number(made.data['id']);
    expect(await world.stored(id)).toMatchObject({ title: 'One', qty: 3, note: 'made' });
    expect((await world.patch('ann', id, { qty: 4 })).data).toMatchObject({ qty: 4 });
    expect(await world.entry(id)).toMatchObject({ before: { qty: 3 }, after: { qty: 4 } });
    expect(await entries()).toEqual({ count: (before as { count: number }).count + 2 });
  });

  it('is refused in the same way over GraphQL', async () => {
    const id = await world.put({ qty: 1 });
    const change = (qty: number) =>
      world.as('ann').post('/graphql', {
        query: `mutation { update_lots_item(id: ${id}, data: { qty: ${qty} }) { qty note } }`,
      });
    expect(faults(await change(100))).toEqual([
      expect.objectContaining({ code: 'FAILED_VALIDATION', field: 'qty' }),
    ]);
    expect((await world.stored(id))['qty']).toBe(1);
    expect((await change(5)).text).toContain('"qty":5');
  });

  it('is refused without the comment that the only rule requires', async () => {
    const explained = { explain: true };
    const more = await seed(world.app, {
      policies: {
        explaining: [
          read('lots', ['id', 'qty']),
          { ...create('lots', ['qty'], SMALL), ...explained },
          { ...update('lots', ['qty'], SMALL), ...explained },
        ],
      },
      users: { gil: { policies: ['explaining'] } },
    });
    const id = await world.put({ qty: 1 });
    const before = await entries();
    const send = (method: string, path: string, headers = {}) =>
      more.as('gil').send(method, path, { qty: 2 }, headers);
    for (const [method, path] of [
      ['POST', '/items/lots'],
      ['PATCH', `/items/lots/${id}`],
    ] as const) {
      expect((await send(method, path)).codes).toEqual(['INVALID_PAYLOAD']);
      expect([(await world.stored(id))['qty'], await entries()]).toEqual([1, before]);
    }
    const comment = { 'x-comment': 'Counted again' };
    expect((await send('PATCH', `/items/lots/${id}`, comment)).data).toMatchObject({ qty: 2 });
  });

  it('is refused where a validation needs a concealed value that is only stored', async () => {
    const more = await seed(world.app, {
      policies: {
        sealing: [
          read('lots_sealed', ['id', 'qty']),
          update('lots_sealed', ['qty', 'pin'], {}, { validation: { pin: { _nnull: true } } }),
        ],
      },
      users: { ida: { policies: ['sealing'] } },
    });
    const id = await world.put({ qty: 1, pin: '1234' }, 'lots_sealed');
    const send = (body: object) => more.as('ida').patch(`/items/lots_sealed/${id}`, body);
    expect((await send({ qty: 2 })).codes).toEqual(['FAILED_VALIDATION']);
    expect((await send({ qty: 2, pin: '5678' })).data).toMatchObject({ qty: 2 });
  });
});

describe('A single statement for the whole write', () => {
  it.each<[string, boolean, string]>([
    ['without hooks', true, 'lots'],
    ['with a hook that runs after the commit', true, 'lots_following'],
    ['with a hook before the update', false, 'lots_before'],
    ['with a hook that stores other values', false, 'lots_stored'],
    ['with a hook after the update', false, 'lots_after'],
    ['with a hook that needs the row before', false, 'lots_needing'],
    ['of a table with a trigger', false, 'lots_turned'],
  ])('of an update %s is used: %s', async (_, expected, table) => {
    const name = table === 'lots' ? 'lots' : table;
    const id = await world.put({ qty: 1 }, name);
    const work = () => world.as('ann').patch(`/items/${name}/${id}`, { qty: 2 });
    expect(await demands(work)).toBe(expected);
  });

  it.each<[string, boolean, string]>([
    ['without hooks', true, 'lots'],
    ['with a hook that fills in what was not sent', false, 'lots_filled'],
    ['with a hook that stores other values', false, 'lots_stored'],
    ['with hooks of updates', true, 'lots_before'],
  ])('of a create %s is used: %s', async (_, expected, table) => {
    const work = () => world.as('ann').post(`/items/${table}`, { qty: 2 });
    expect(await demands(work)).toBe(expected);
  });

  it('is not used with several rules that have different conditions', async () => {
    const more = await seed(world.app, {
      policies: {
        both: [
          read('lots', ['id', 'qty']),
          update('lots', ['qty'], {}, { validation: SMALL }),
          update('lots', ['title'], {}, { validation: { title: { _nnull: true } } }),
          create('lots', ['qty'], SMALL),
          create('lots', ['title']),
        ],
      },
      users: { eve: { policies: ['both'] } },
    });
    const id = await world.put({ qty: 1 });
    expect(await demands(() => more.as('eve').patch(`/items/lots/${id}`, { qty: 2 }))).toBe(false);
    expect(await demands(() => more.as('eve').post('/items/lots', { qty: 2 }))).toBe(false);
    expect((await more.as('eve').post('/items/lots', { qty: 200 })).codes).toEqual(['FORBIDDEN']);
  });

  it('is not used with a pattern, which is checked in memory', async () => {
    const more = await seed(world.app, {
      policies: {
        named: [
          read('lots', ['id', 'qty']),
          create('lots', ['title'], {}, { validation: { title: { _regex: '^[A-Z]' } } }),
        ],
      },
      users: { flo: { policies: ['named'] } },
    });
    expect(await demands(() => more.as('flo').post('/items/lots', { title: 'Up' }))).toBe(false);
    const refused = await more.as('flo').post('/items/lots', { title: 'down' });
    expect(refused.codes).toEqual(['FAILED_VALIDATION']);
  });
});
