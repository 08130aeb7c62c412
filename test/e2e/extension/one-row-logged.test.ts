import type { World } from '../../factories';
import { recordWrites, type Reply } from '../../support';
import { openKinds } from './kinds.fixtures';

/** In the second, a trigger might change the rows, so its entries are written before the commit. */
let world: World;
let slow: World;

beforeAll(async () => {
  world = await openKinds(false);
  slow = await openKinds(true);
});

afterAll(async () => {
  await world.app.close();
  await slow.app.close();
});

const entriesOf = (of: World): Promise<object[]> =>
  of.app.database.query(
    `SELECT action, collection, item, fields, cut, replace(before::text, $1, 'ann') AS before, replace(after::text, $1, 'ann') AS after, system, ip, user_agent, origin, comment,
       (SELECT count(*) FROM service_users WHERE id = "user") AS users
     FROM service_activity WHERE collection IN ('kinds', 'named', 'odd', 'followed') ORDER BY id`,
    [of.id('ann')],
  );

type Write = (of: World) => Promise<Reply>;

/** The entries that a write adds to the log; fails if a table with a trigger has others. */
async function entries(write: Write): Promise<readonly object[]> {
  return entriesWhere(async (of) => {
    const reply = await write(of);
    if (reply.status >= 300) throw new Error(reply.text);
  });
}

async function entriesWhere(write: (of: World) => Promise<void>): Promise<readonly object[]> {
  const added: (readonly object[])[] = [];
  for (const each of [world, slow]) {
    const before = await entriesOf(each);
    await write(each);
    added.push((await entriesOf(each)).slice(before.length));
  }
  expect(added[0]).toEqual(added[1]);
  return added[0] ?? [];
}

/** Whether the entry was written by the statement that stored the row. */
async function isAtOnce(of: World, write: Write): Promise<boolean> {
  const recorded = recordWrites(of.app.database);
  await write(of);
  recorded.stop();
  const writing = [...recorded.texts, ...recorded.tables].filter((text) =>
    text.includes('INSERT INTO service_activity'),
  );
  expect(writing).toHaveLength(1);
  return /^WITH /.test(writing[0] ?? '');
}

const admin = (of: World, more: object, id = 1): Promise<Reply> =>
  of.as('admin').patch(`/items/kinds/${id}`, more);

const LONG = 'ä😀'.repeat(6_000);
const UUID = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

/** Values that are written to a field one after another, and whether PostgreSQL writes their entries. */
const VALUES: readonly (readonly [string, readonly unknown[], boolean])[] = [
  ['words', ['a', '"\\\'{},\n\t\u2028', '😀', ' x ', '', 'null', LONG, `${LONG}x`, null], true],
  ['words', ['x'.repeat(10_000), 'x'.repeat(10_001), `${'x'.repeat(9_999)}😀`, null], true],
  ['short', ['a', 'b ', '', null], true],
  ['secret', ['a', 'b', '', null], true],
  ['pin', [1, 2, null], true],
  ['whole', [0, -1, 2_147_483_647, -2_147_483_648, null], true],
  ['big', [0, '9007199254740991', '9007199254740992', '-9007199254740991', null], true],
  ['big', ['-9007199254740992', '9223372036854775807', '-9223372036854775808', null], true],
  ['price', ['1', '1.5', '-0.001', '123456789.123', 0, null], true],
  ['rate', [1, 1.5, 1e15, 5e-324, 1e-7, null], false],
  ['sure', [true, false, null], true],
  ['state', ['new', 'old', null], true],
  ['token', [UUID, UUID.toUpperCase().replace('A', 'B'), null], true],
  ['day', ['2024-02-29', '0001-01-01', '9999-12-31', null], true],
  ['hour', ['07:08:09', '23:59:59.999', null], false],
  ['moment', ['2024-05-06T07:08:09.12Z', '0001-01-01', '9999-12-31T23:59:59.999Z', null], true],
  ['data', [{ b: 1, a: [1.5, 'x'] }, [], 'x', 5, null], false],
  ['list', [['a', 'b"'], [], null], false],
  ['within', [1, null], true],
  ['owner', ['ann', null], true],
];

describe('The entry of a write of one row', () => {
  beforeAll(async () => {
    for (const each of [world, slow])
      await each?.as('admin').post('/items/kinds', { words: 'One' });
  });

  it.each(VALUES)('about %s is the same however it is written', async (field, values, atOnce) => {
    for (const value of values) {
      const write: Write = (of) =>
        admin(of, { [field]: field === 'owner' && value ? of.id('ann') : value });
      const added = (await entries(write)) as { before: string; after: string }[];
      expect(added).toMatchObject([{ fields: [field], item: '1', users: '1' }]);
      expect(await entries(write)).toEqual([]);
    }
    const again: Write = (of) =>
      admin(of, { [field]: field === 'owner' ? of.id('ann') : values[0] });
    expect(await isAtOnce(world, again)).toBe(atOnce);
    expect(await isAtOnce(slow, again)).toBe(false);
  });

  it('about a new row is the same however it is written', async () => {
    const all = Object.fromEntries(VALUES.map(([field, [first]]) => [field, first]));
    for (const sent of [{}, { words: LONG, short: null }, { ...all, owner: null }]) {
      const write: Write = (of) => of.as('admin').post('/items/kinds', sent);
      expect(await entries(write)).toHaveLength(1);
      expect(await isAtOnce(world, write)).toBe(true);
      expect(await isAtOnce(slow, write)).toBe(false);
    }
  });

  it('about several fields has those that changed', async () => {
    await entries((of) => admin(of, { words: 'a', whole: 1, sure: true, state: 'old' }));
    const sent = { words: 'b', whole: 1, sure: false, state: 'old' };
    expect(await entries((of) => admin(of, sent))).toMatchObject([
      { fields: ['words', 'sure'], before: '{"sure": true, "words": "a"}', cut: [] },
    ]);
    const long = { words: LONG, whole: 2, sure: false };
    expect(await entries((of) => admin(of, long))).toMatchObject([
      { fields: ['words', 'whole'], cut: ['words'] },
    ]);
  });

  it.each<[string, readonly unknown[], boolean]>([
    ['whole', [1, null], false],
    ['cent', [1, null], false],
    ['big', [1, '-5', null], true],
    ['state', ['new', null], false],
    ['token', [UUID, null], true],
    ['day', ['2024-02-29', null], false],
  ])(
    'about %s of another type is the same however it is written',
    async (field, values, atOnce) => {
      await entries((of) => of.as('admin').post('/items/odd', {}));
      const write = (value: unknown) => (of: World) =>
        of.as('admin').patch('/items/odd/1', { [field]: value });
      for (const value of values) expect(await entries(write(value))).toHaveLength(1);
      expect(await isAtOnce(world, write(values[0]))).toBe(atOnce);
    },
  );

  it.each([
    ['moment', '2024-05-06 07:08:09.999999'],
    ['moment', '9999-12-31 23:59:59.999999'],
    ['moment', '10000-01-01'],
    ['moment', '0001-01-01 00:00:00.0009'],
    ['moment', '0044-03-15 BC'],
    ['moment', 'infinity'],
    ['moment', '-infinity'],
    ['big', '7'],
  ])('about %s that another program set to %s is the same', async (field, value) => {
    await entries((of) => of.as('admin').post('/items/odd', {}));
    for (const { app } of [world, slow]) {
      await app.database.query(`UPDATE odd SET ${field} = '${value}' WHERE id = 1`);
    }
    const added = await entries((of) => of.as('admin').patch('/items/odd/1', { [field]: null }));
    expect(added).toMatchObject([{ before: expect.stringContaining(value.slice(0, 4)) as string }]);
  });

  it('records who wrote the row, from where and why', async () => {
    const headers = {
      'user-agent': 'x'.repeat(300),
      origin: 'http://127.0.0.1',
      'x-comment': 'So',
    };
    const path = '/items/kinds/1?fields=id';
    for (const words of ['why', 'because']) {
      const added = await entries((of) => of.as('ann').send('PATCH', path, { words }, headers));
      expect(added).toMatchObject([
        { users: '1', ip: '127.0.0.1', user_agent: 'x'.repeat(255), comment: 'So', system: null },
      ]);
    }
  });

  it('names a row by a key that is text', async () => {
    for (const id of ['a b', '"', '7']) {
      const made = await entries((of) => of.as('ann').post('/items/named', { id }));
      expect(made).toMatchObject([{ action: 'create', item: id }]);
      const path = `/items/named/${encodeURIComponent(id)}`;
      const changed = await entries((of) => of.as('ann').patch(path, { words: id }));
      expect(changed).toMatchObject([{ action: 'update', item: id }]);
    }
  });

  it('comes after the entries of earlier writes of a hook', async () => {
    const added = await entries((of) => of.as('ann').post('/items/followed', { words: 'first' }));
    expect(added).toMatchObject([
      { collection: 'named', system: 'a name is kept' },
      { collection: 'followed', system: null },
    ]);
  });

  it('is not written if the write is refused', async () => {
    const long = 'x'.repeat(2_001);
    await entries((of) => admin(of, { whole: 1 }));
    for (const [sent, comment, codes] of [
      [{ whole: 14 }, 'So', ['FAILED_VALIDATION']],
      [{ whole: 14 }, long, ['FAILED_VALIDATION']],
      [{ whole: 15 }, long, ['INVALID_PAYLOAD']],
      [{ short: 'x'.repeat(21) }, 'So', ['VALUE_TOO_LONG']],
      [{ within: 999 }, 'So', ['INVALID_FOREIGN_KEY']],
    ] as const) {
      const added = await entriesWhere(async (of) => {
        const headers = { 'x-comment': comment };
        const reply = await of.as('ann').send('PATCH', '/items/kinds/1', sent, headers);
        expect(reply.codes).toEqual(codes);
      });
      expect(added).toEqual([]);
    }
    await entries((of) => admin(of, { whole: 13 }));
    const added = await entriesWhere(async (of) => {
      expect((await of.as('ann').patch('/items/kinds/1', { words: 'x' })).status).toBe(403);
    });
    expect(added).toEqual([]);
  });
});
