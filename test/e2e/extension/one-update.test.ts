import { type Cells, faults, FORBIDDEN, type LotsWorld, openLotsWorld, TABLES } from './lots-world';

let world: LotsWorld;

describe.each(TABLES)('A row %s', (_table, triggered) => {
  beforeAll(async () => {
    world = await openLotsWorld(triggered);
  });

  afterAll(() => world.app.close());

  describe('An update of one row', () => {
    it.each<[string, string, Cells, Cells, Cells]>([
      ['by a rule, with its presets', 'ann', { qty: 1 }, { qty: 2 }, { qty: 2, note: 'preset' }],
      ['by one of two rules', 'bob', { stage: 'shut' }, { title: 'New' }, { title: 'New' }],
      ['by two rules', 'bob', {}, { title: 'New', qty: 4 }, { title: 'New', qty: 4 }],
      ['by an administrator', 'admin', { stage: 'hidden' }, { qty: 500 }, { qty: 500, note: null }],
      ['with an empty body', 'ann', { qty: 1 }, {}, { qty: 1, note: 'preset' }],
      ['that changes nothing', 'admin', { qty: 1 }, { qty: 1 }, { qty: 1 }],
      ['out of a rule’s reach', 'ann', { qty: 1 }, { stage: 'shut' }, { stage: 'shut' }],
    ])('%s is stored, and answered as the item is read', async (_, who, before, sent, after) => {
      const id = await world.put(before);
      const reply = await world.patch(who, id, sent);
      expect(reply.status).toBe(200);
      expect(reply.text).toBe((await world.as(who).get(`/items/lots/${id}`)).text);
      expect(await world.stored(id)).toMatchObject(after);
      const some = await world.patch(who, await world.put(before), sent, '?fields=title,id');
      expect(Object.keys(some.data)).toEqual(['title', 'id']);
    });

    it('is answered without a body if its writer may not read it', async () => {
      const left = await world.patch('ann', await world.put({ qty: 1 }), { stage: 'hidden' });
      expect([left.status, left.text]).toEqual([204, '']);
      const id = await world.put();
      const blind = await world.patch('cleo', id, { qty: 3 });
      expect([blind.status, blind.text, (await world.stored(id))['qty']]).toEqual([204, '', 3]);
    });

    it('shows what its writer may read of the resulting row', async () => {
      const id = await world.put({ qty: 5 });
      expect((await world.patch('bob', id, { stage: 'shut' })).data).toEqual({
        ...{ id, title: 'A lot', qty: null },
      });
    });

    it('is answered with relations as well', async () => {
      const id = await world.put();
      const part = await world.put({ within: id });
      const reply = await world.patch('dora', id, { title: 'Whole' }, '?fields=title,parts.title');
      expect(reply.data).toEqual({ title: 'Whole', parts: [{ title: 'A lot' }] });
      const below = await world.patch(
        'dora',
        part,
        { title: 'Part' },
        '?fields=title,within.title',
      );
      expect(below.data).toEqual({ title: 'Part', within: { title: 'Whole' } });
      expect((await world.patch('dora', id, { parts: [] })).status).toBe(200);
      expect((await world.stored(part))['within']).toBeNull();
    });

    it('is logged with the values before it', async () => {
      const id = await world.put({ qty: 1, note: 'preset' });
      await world.patch('ann', id, { qty: 2, title: 'A lot' });
      expect(await world.entry(id)).toEqual({
        fields: ['qty'],
        before: { qty: 1 },
        after: { qty: 2 },
      });
      const unlogged = await world.put({ qty: 1, note: 'preset' });
      await world.patch('ann', unlogged, { qty: 1 });
      expect(await world.entry(unlogged)).toBeUndefined();
    });

    it('takes one statement, unless a trigger may change the row', async () => {
      const id = await world.put({ qty: 1 });
      const texts = await world.writesOf(() => world.patch('ann', id, { qty: 2 }));
      expect(texts).toHaveLength(triggered ? 3 : 1);
    });

    it.each<[string, string, Cells, boolean]>([
      ['a single rule decides', 'ann', { qty: 2 }, true],
      ['everything is allowed', 'admin', { qty: 2 }, true],
      ['either of two rules may match', 'bob', { title: 'New' }, false],
      ['a related row is named', 'dora', { within: null, title: 'New' }, true],
      ['a list is sent', 'dora', { parts: [] }, false],
    ])('locks and stores it in one statement if %s: %s', async (_, who, sent, atOnce) => {
      const id = await world.put({ qty: 1 });
      const [first = ''] = await world.writesOf(() => world.patch(who, id, sent));
      expect(first.split(' ', 1)).toEqual([atOnce ? 'WITH' : 'SELECT']);
    });
  });

  describe('An update of one row is refused', () => {
    it.each<[string, Cells, unknown, object]>([
      ['a row that no rule reaches', { stage: 'shut' }, { qty: 2 }, FORBIDDEN],
      ['a field of no rule', {}, { secret: 'x' }, { ...FORBIDDEN, field: 'secret' }],
      ['a value of another type', {}, { qty: 'x' }, { code: 'INVALID_PAYLOAD', field: 'qty' }],
      [
        'an invalid resulting row',
        {},
        { qty: 100 },
        { code: 'FAILED_VALIDATION', field: 'qty', type: 'lt', valid: 100 },
      ],
      [
        'a value that is taken',
        { qty: 1 },
        { code: 'taken' },
        { code: 'RECORD_NOT_UNIQUE', collection: 'lots', field: 'code' },
      ],
      [
        'a value that a constraint refuses',
        { qty: 1 },
        { qty: -1 },
        { code: 'FAILED_VALIDATION', field: 'qty', type: 'check' },
      ],
      [
        'a value that a column cannot hold',
        { qty: 1 },
        { price: '12345.00' },
        { code: 'VALUE_OUT_OF_RANGE', collection: 'lots', field: 'price' },
      ],
    ])('%s', async (_, before, sent, fault) => {
      await world.app.database.query(`DELETE FROM lots WHERE code = 'taken'`);
      await world.put({ code: 'taken' });
      const id = await world.put(before);
      const was = await world.stored(id);
      const reply = await world.patch('ann', id, sent);
      expect(faults(reply)).toEqual([expect.objectContaining(fault)]);
      expect(await world.stored(id)).toEqual(was);
      expect(await world.entry(id)).toBeUndefined();
    });

    it.each<[string, Cells]>([
      ['a valid value', { qty: 1 }],
      ['an empty body', {}],
      ['a value of another type', { qty: 'x' }],
      ['an invalid value', { qty: 100 }],
      ['a value that is taken', { code: 'taken' }],
      ['a value that a constraint refuses', { qty: -1 }],
      ['a value that a column cannot hold', { price: '12345.00' }],
    ])('with the same answer for a row out of reach and for a missing one: %s', async (_, sent) => {
      const shut = await world.patch('ann', await world.put({ stage: 'shut' }), sent);
      const none = await world.patch('ann', 999_999, sent);
      expect([shut.status, shut.codes]).toEqual([403, ['FORBIDDEN']]);
      expect(shut.text).toBe(none.text);
      const missing = await world.patch('admin', 999_999, sent);
      expect([missing.status, missing.codes]).toEqual([403, ['FORBIDDEN']]);
    });

    it('for a field that the matching rule does not list', async () => {
      const reply = await world.patch('bob', await world.put({ stage: 'shut' }), { qty: 1 });
      expect(faults(reply)).toEqual([FORBIDDEN]);
    });
  });
});
