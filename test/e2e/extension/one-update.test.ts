import { setTimeout as wait } from 'node:timers/promises';
import { seed, type World } from '../../factories';
import { hearWrites, onPostgres, type Reply, startTestApp } from '../../support';
import { CAST, DEMANDS, LotsModule, seen } from './one-update.cast';

let world: World;

beforeAll(async () => {
  const app = await startTestApp({ imports: [LotsModule], synchronize: true });
  for (const demand of DEMANDS) await app.database.query(demand);
  world = await seed(app, CAST);
});

afterAll(() => world.app.close());

type Cells = Readonly<Record<string, unknown>>;

async function put(cells: Cells = {}, table = 'lots'): Promise<number> {
  const names = ['title', ...Object.keys(cells)];
  const places = names.map((_, index) => `$${index + 1}`);
  const [row] = await world.app.database.query<{ id: number }>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')}) RETURNING id`,
    ['A lot', ...Object.values(cells)],
  );
  return row?.id ?? 0;
}

async function stored(id: number, table = 'lots'): Promise<Cells> {
  const [row] = await world.app.database.query<Cells>(`SELECT * FROM ${table} WHERE id = $1`, [id]);
  return row ?? {};
}

const send = (who: string, id: number, body: unknown, more = ''): Promise<Reply> =>
  world.as(who).patch(`/items/lots/${id}${more}`, body);

const faults = ({ body }: Reply): object[] | undefined =>
  (body as { errors?: { extensions: object }[] }).errors?.map(({ extensions }) => extensions);

/** The last entry of the log about a lot. */
async function entry(id: number): Promise<Cells | undefined> {
  const [last] = await world.app.database.query<Cells>(
    `SELECT fields, before, after FROM service_activity WHERE collection = 'lots' AND item = $1 ORDER BY id DESC LIMIT 1`,
    [String(id)],
  );
  return last;
}

/** With what the first statement of a write begins that names its row. */
async function begins(work: () => Promise<Reply>): Promise<string | undefined> {
  const writes = hearWrites(world.app.database);
  try {
    await work();
    return writes.texts.find((text) => text.includes('"lots'))?.split(' ', 1)[0];
  } finally {
    writes.stop();
  }
}

const FORBIDDEN = { code: 'FORBIDDEN' };

describe('An update of one row', () => {
  it.each<[string, string, Cells, Cells, Cells]>([
    ['by a rule, with what it presets', 'ann', { qty: 1 }, { qty: 2 }, { qty: 2, note: 'preset' }],
    ['by one of two rules', 'bob', { stage: 'shut' }, { title: 'New' }, { title: 'New' }],
    ['by two rules', 'bob', {}, { title: 'New', qty: 4 }, { title: 'New', qty: 4 }],
    ['by an administrator', 'admin', { stage: 'hidden' }, { qty: 500 }, { qty: 500, note: null }],
    ['that is sent nothing', 'ann', { qty: 1 }, {}, { qty: 1, note: 'preset' }],
    ['that changes nothing', 'admin', { qty: 1 }, { qty: 1 }, { qty: 1 }],
    ['that a trigger adds to', 'ann', { qty: 1 }, { title: 'Turned' }, { qty: 77 }],
    ['out of a rule’s reach', 'ann', { qty: 1 }, { stage: 'shut' }, { stage: 'shut' }],
  ])('%s is stored, and answered as the item is read', async (_, who, before, sent, after) => {
    const id = await put(before);
    const reply = await send(who, id, sent);
    expect(reply.status).toBe(200);
    expect(reply.text).toBe((await world.as(who).get(`/items/lots/${id}`)).text);
    expect(await stored(id)).toMatchObject(after);
    const some = await send(who, await put(before), sent, '?fields=title,id');
    expect(Object.keys(some.data)).toEqual(['title', 'id']);
  });

  it('is answered by nothing where its writer does not read it', async () => {
    const left = await send('ann', await put({ qty: 1 }), { stage: 'hidden' });
    expect([left.status, left.text]).toEqual([204, '']);
    const id = await put();
    const blind = await send('cleo', id, { qty: 3 });
    expect([blind.status, blind.text, (await stored(id))['qty']]).toEqual([204, '', 3]);
  });

  it('shows what its writer reads of the row that it has become', async () => {
    const id = await put({ qty: 5 });
    expect((await send('bob', id, { stage: 'shut' })).data).toEqual({
      ...{ id, title: 'A lot', qty: null },
    });
  });

  it('is answered with relations as well', async () => {
    const id = await put();
    const part = await put({ within: id });
    const reply = await send('dora', id, { title: 'Whole' }, '?fields=title,parts.title');
    expect(reply.data).toEqual({ title: 'Whole', parts: [{ title: 'A lot' }] });
    const below = await send('dora', part, { title: 'Part' }, '?fields=title,within.title');
    expect(below.data).toEqual({ title: 'Part', within: { title: 'Whole' } });
    expect((await send('dora', id, { parts: [] })).status).toBe(200);
    expect((await stored(part))['within']).toBeNull();
  });

  it('is logged with what the row held', async () => {
    const id = await put({ qty: 1, note: 'preset' });
    await send('ann', id, { qty: 2, title: 'A lot' });
    expect(await entry(id)).toEqual({ fields: ['qty'], before: { qty: 1 }, after: { qty: 2 } });
    const unlogged = await put({ qty: 1, note: 'preset' });
    await send('ann', unlogged, { qty: 1 });
    expect(await entry(unlogged)).toBeUndefined();
  });

  it.each<[string, string, Cells, boolean]>([
    ['one rule decides', 'ann', { qty: 2 }, true],
    ['everything is allowed', 'admin', { qty: 2 }, true],
    ['it is to be found out which of two rules is met', 'bob', { title: 'New' }, false],
    ['a related row is named', 'dora', { within: null, title: 'New' }, true],
    ['a list is sent', 'dora', { parts: [] }, false],
  ])('locks and stores it at once where %s: %s', async (_, who, sent, atOnce) => {
    const id = await put({ qty: 1 });
    expect(await begins(() => send(who, id, sent))).toBe(atOnce ? 'WITH' : 'SELECT');
  });
});

describe('An update of one row is refused', () => {
  it.each<[string, Cells, unknown, object]>([
    ['a row that no rule reaches', { stage: 'shut' }, { qty: 2 }, FORBIDDEN],
    ['a field of no rule', {}, { secret: 'x' }, { ...FORBIDDEN, field: 'secret' }],
    ['a value of another type', {}, { qty: 'x' }, { code: 'INVALID_PAYLOAD', field: 'qty' }],
    [
      'a row that is not valid then',
      {},
      { qty: 100 },
      { code: 'FAILED_VALIDATION', field: 'qty', type: 'lt', valid: 100 },
    ],
    ['what a trigger drops', { qty: 1 }, { title: 'Lost' }, { code: 'FAILED_VALIDATION' }],
    ['what a trigger refuses', { qty: 1 }, { title: 'Raised' }, { code: 'FAILED_VALIDATION' }],
    [
      'a value that is there',
      { qty: 1 },
      { code: 'taken' },
      { code: 'RECORD_NOT_UNIQUE', collection: 'lots', field: 'code' },
    ],
    [
      'what a constraint refuses',
      { qty: 1 },
      { qty: -1 },
      { code: 'FAILED_VALIDATION', field: 'qty', type: 'check' },
    ],
    [
      'what a column cannot hold',
      { qty: 1 },
      { price: '12345.00' },
      { code: 'VALUE_OUT_OF_RANGE', collection: 'lots', field: 'price' },
    ],
  ])('%s', async (_, before, sent, fault) => {
    await world.app.database.query(`DELETE FROM lots WHERE code = 'taken'`);
    await put({ code: 'taken' });
    const id = await put(before);
    const was = await stored(id);
    const reply = await send('ann', id, sent);
    expect(faults(reply)).toEqual([expect.objectContaining(fault)]);
    expect(reply.text).not.toContain('never told');
    expect(await stored(id)).toEqual(was);
    expect(await entry(id)).toBeUndefined();
  });

  it.each<[string, Cells]>([
    ['', { qty: 1 }],
    ['nothing', {}],
    ['a value of another type', { qty: 'x' }],
    ['what is not valid', { qty: 100 }],
    ['a value that is there', { code: 'taken' }],
    ['what a constraint refuses', { qty: -1 }],
    ['what a column cannot hold', { price: '12345.00' }],
    ['what a trigger drops', { title: 'Lost' }],
    ['what a trigger refuses', { title: 'Raised' }],
  ])('in the same words for a row out of reach and for none: %s', async (_, sent) => {
    const shut = await send('ann', await put({ stage: 'shut' }), sent);
    const none = await send('ann', 999_999, sent);
    expect([shut.status, shut.codes]).toEqual([403, ['FORBIDDEN']]);
    expect(shut.text).toBe(none.text);
    const missing = await send('admin', 999_999, sent);
    expect([missing.status, missing.codes]).toEqual([403, ['FORBIDDEN']]);
  });

  it('for a field that the met rule does not list', async () => {
    const reply = await send('bob', await put({ stage: 'shut' }), { qty: 1 });
    expect(faults(reply)).toEqual([FORBIDDEN]);
  });
});

describe('An update of one row with hooks', () => {
  it.each<[string, Cells, readonly string[], string]>([
    ['prepared', { title: 'Prepared', qty: 2 }, ['prepare'], 'WITH'],
    ['before', { title: 'Was 1', qty: 2 }, ['before 1 1'], 'SELECT'],
    ['stored', { title: 'Stored', qty: 2 }, ['to stored 1'], 'SELECT'],
    ['after', { title: 'After', qty: 4 }, ['after 2'], 'WITH'],
    ['needing', { title: 'A lot', qty: 2 }, ['needing 1 2'], 'SELECT'],
    ['following', { title: 'A lot', qty: 2 }, ['following'], 'WITH'],
  ])(
    '%s: they see what they saw, and the answer what they did',
    async (kind, after, said, first) => {
      const table = `lots_${kind}`;
      const id = await put({ qty: 1 }, table);
      seen.splice(0);
      const who = kind === 'prepared' ? 'admin' : 'ann';
      const work = () => world.as(who).patch(`/items/${table}/${id}`, { qty: 2 });
      const heard = { reply: undefined as Reply | undefined };
      expect(await begins(async () => (heard.reply = await work()))).toBe(first);
      await world.app.database.afterwards.settled(5_000);
      expect(heard.reply?.data).toEqual({ id, ...after });
      expect(await stored(id, table)).toEqual({ id, ...after });
      expect(seen).toEqual(said);
    },
  );

  it('that write is judged on what they wrote', async () => {
    const id = await put({ qty: 1 }, 'lots_after');
    const reply = await world.as('ann').patch(`/items/lots_after/${id}`, { qty: 600 });
    expect(reply.codes).toEqual(['FAILED_VALIDATION']);
    expect((await stored(id, 'lots_after'))['qty']).toBe(1);
  });
});

// On one connection nobody waits for anybody.
if (onPostgres() !== undefined) {
  describe('An update of a row that another transaction has just changed', () => {
    /** Sends while the change is not committed yet, and ends when it is. */
    async function amid(change: string, work: () => Promise<Reply>): Promise<Reply> {
      const { database } = world.app;
      const { reply } = await database.transaction(async (tx) => {
        await tx.query(change);
        const [sent, settled] = [work(), { is: false }];
        void sent.finally(() => (settled.is = true));
        while (!settled.is && !(await isWaiting())) await wait(10);
        expect(settled.is).toBe(false);
        return { reply: () => sent };
      });
      return reply();
    }

    async function isWaiting(): Promise<boolean> {
      const waiting = await world.app.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    }

    it.each([
      ['so that the rule fails', (id: number) => `UPDATE lots SET stage = 'shut' WHERE id = ${id}`],
      ['by deleting it', (id: number) => `DELETE FROM lots WHERE id = ${id}`],
    ])('%s changes nothing', async (_, change) => {
      for (const sent of [{ qty: 2 }, { code: 'waited' }, { qty: -1 }, { title: 'Raised' }]) {
        const id = await put({ qty: 1 });
        const reply = await amid(change(id), () => send('ann', id, sent));
        expect(reply.codes).toEqual(['FORBIDDEN']);
        expect([1, undefined]).toContain((await stored(id))['qty']);
        expect(await entry(id)).toBeUndefined();
      }
    });

    it('is logged with what that left, judged by it and answered with it', async () => {
      const id = await put({ qty: 1 });
      const change = `UPDATE lots SET qty = 50, title = 'Theirs', price = 3 WHERE id = ${id}`;
      const reply = await amid(change, () => send('ann', id, { qty: 2, title: 'Theirs' }));
      expect(reply.data).toMatchObject({ qty: 2, title: 'Theirs', price: '3.00', note: 'preset' });
      expect(await entry(id)).toEqual({
        fields: ['note', 'qty'],
        before: { qty: 50, note: null },
        after: { qty: 2, note: 'preset' },
      });
    });

    it('is refused where it is not valid with what that left', async () => {
      const id = await put({ qty: 1 });
      const change = `UPDATE lots SET qty = 200 WHERE id = ${id}`;
      const reply = await amid(change, () => send('ann', id, { title: 'Mine' }));
      expect(reply.codes).toEqual(['FAILED_VALIDATION']);
      expect(await stored(id)).toMatchObject({ qty: 200, title: 'A lot' });
    });

    it('is answered with what its writer reads of it then', async () => {
      const id = await put({ qty: 1 });
      const change = `UPDATE lots SET stage = 'hidden' WHERE id = ${id}`;
      const reply = await amid(change, () => send('admin', id, { qty: 2 }));
      expect(reply.data).toMatchObject({ qty: 2, stage: 'hidden' });
      const hidden = await put({ qty: 1 });
      const twice = await amid(`UPDATE lots SET qty = 3 WHERE id = ${hidden}`, () =>
        send('ann', hidden, { stage: 'hidden' }),
      );
      expect([twice.status, twice.text]).toEqual([204, '']);
    });
  });
}
