import { Logger } from '@nestjs/common';
import { Collections } from 'doorward';
import { create, read, seed, update, type World } from '../../factories';
import { startTestApp, itOnPostgres } from '../../support';
import { kept, PackingModule } from './hook-handles.fixtures';

let world: World;
const logged: string[] = [];

beforeAll(async () => {
  for (const level of ['warn', 'error'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation((...words: unknown[]) => {
      logged.push(words.map(String).join(' '));
    });
  }
  const app = await startTestApp({ imports: [PackingModule], synchronize: true, logger: false });
  world = await seed(app, {
    policies: {
      packers: [
        create('boxes', ['code', 'note'], { code: { _neq: 'broken' } }),
        read('boxes', ['code', 'note']),
        update('boxes', ['note']),
        create('slips', ['text']),
      ],
    },
    users: { ann: { policies: ['packers'] } },
  });
  const shelf = await world.as('admin').post('/items/shelves', { name: 'gone' });
  kept.deletedShelf = Number(shelf.data['id']);
  await world.as('admin').delete(`/items/shelves/${kept.deletedShelf}`);
});

let closing: Promise<void> | undefined;

afterAll(() => closing ?? world.app.close());
beforeEach(() => logged.splice(0));

const count = async (table: string): Promise<number> => {
  const [row] = await world.app.database.query<{ n: number }>(
    `SELECT count(*)::int4 n FROM ${table}`,
  );
  return row?.n ?? 0;
};
const both = async (): Promise<number[]> => [await count('boxes'), await count('slips')];

let codes = 0;
const TRANSPORTS = [
  [
    'REST',
    (note: string, who = 'ann') =>
      world
        .as(who)
        .send('POST', '/items/boxes', { code: `r${++codes}`, note }, { 'x-request-id': 'box-1' }),
  ],
  [
    'GraphQL',
    (note: string, who = 'ann') =>
      world.as(who).send(
        'POST',
        '/graphql',
        {
          query: `mutation { create_boxes_item(data: {code: "g${++codes}", note: "${note}"}) { code } }`,
        },
        { 'x-request-id': 'box-1' },
      ),
  ],
] as const;

describe.each(TRANSPORTS)('Over %s', (_, box) => {
  it('a write that waits for the hook around it fails immediately, and the log explains why', async () => {
    const before = await both();
    expect((await box('crossed')).codes).toEqual(['INTERNAL_SERVER_ERROR']);
    expect(logged.join('\n')).toContain('use the context that this hook itself is given');
    expect(await both()).toEqual(before);
  });

  it('writes started at once by one handle run one after another', async () => {
    const [boxes = 0, slips = 0] = await both();
    expect((await box('at once')).codes).toEqual([]);
    expect(await both()).toEqual([boxes + 1, slips + 3]);
  });

  it('the log shows why a write of the system failed, and the answer does not', async () => {
    const reply = await box('refused');
    expect(reply.codes).toHaveLength(1);
    expect(reply.text).not.toMatch(/slips|text/);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/\[box-1\]: As the system \(a slip for each box\): .*text/);
  });

  it('an error found at the end of the request is not shown to callers who may not know it', async () => {
    const before = await both();
    const reply = await box('misplaced');
    expect(reply.codes).toEqual(['INVALID_FOREIGN_KEY']);
    expect(reply.text).not.toMatch(/slips|shelf/);
    expect(logged[0]).toMatch(/\[box-1\]: As the system \(a slip for each box\): .*shelf/);
    expect((await box('misplaced', 'admin')).text).toContain('shelf');
    expect(await both()).toEqual(before);
  });

  it('an error found at the commit is logged, and not shown to callers who may not know it', async () => {
    const before = await both();
    const reply = await box('crowded');
    expect(reply.codes).toEqual(['RECORD_NOT_UNIQUE']);
    expect(reply.text).not.toMatch(/slips|place/);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/\[box-1\]: As the system \(a slip for each box\): .*place/);
    expect((await box('crowded', 'admin')).text).toContain('place');
    expect(await both()).toEqual(before);
  });

  it.each(['misread', 'miswritten'])(
    'the log names a collection that does not exist: %s',
    async (note) => {
      expect((await box(note)).codes).toEqual(['FORBIDDEN']);
      expect(logged).toEqual([expect.stringContaining('[box-1]: There is no collection slip')]);
    },
  );

  it('an empty key that a hook sets is refused', async () => {
    const before = await both();
    const reply = await box('keyless');
    expect([reply.codes, reply.text.includes('code')]).toEqual([['FAILED_VALIDATION'], true]);
    expect(await both()).toEqual(before);
  });
});

describe('The old rows', () => {
  it('do not exist for a new row', async () => {
    await TRANSPORTS[0][1]('before');
    expect(kept.before).toEqual([]);
  });

  it('can no longer be requested after the write, and the log says what to do', async () => {
    await world.as('ann').post('/items/boxes', { code: 'late' });
    const reply = await world.as('ann').patch('/items/boxes/late', { note: 'x' });
    expect(reply.status).toBe(500);
    expect(logged.join('\n')).toContain(
      'The old rows of boxes are requested after they were written: set `readonly needsBefore = true` in its hooks',
    );
  });
});

describe('A transaction that a resolver begins', () => {
  const pack = (code: string, text: string | null) =>
    world.as('ann').post('/graphql', {
      query: 'mutation ($code: String!, $text: String) { pack(code: $code, text: $text) }',
      variables: { code, text },
    });

  it('is carried out completely or not at all', async () => {
    expect((await pack('p1', 'fits')).data).toEqual({ pack: 1 });
    const before = await both();
    expect((await pack('p2', null)).codes).toHaveLength(1);
    expect(await both()).toEqual(before);
  });
});

describe('A transaction that continues after an error', () => {
  const goOn = (how: string) =>
    world.as('ann').graphql('mutation ($how: String!) { go_on(how: $how) }', { how });
  const inHook = () =>
    world.as('ann').post('/items/boxes', { code: 'b1', note: 'with a broken one' });

  it.each([
    ['a service caught an error', () => goOn('caught'), ['CONFLICT']],
    ['a service caught two', () => goOn('written on'), ['CONFLICT']],
    ['a hook caught an error', inHook, ['CONFLICT']],
    ['a write was not awaited', () => goOn('unawaited'), ['INTERNAL_SERVER_ERROR']],
  ])('leaves nothing behind that rules forbid: %s', async (_, act, codes) => {
    const before = await both();
    expect((await act()).codes).toEqual(codes);
    expect(await both()).toEqual(before);
    const isLogged = codes.includes('INTERNAL_SERVER_ERROR');
    expect(logged.join('\n').includes('started but not awaited')).toBe(isLogged);
  });

  it.each([
    ['still running', 'forgotten'],
    ['refused', 'forgotten and refused'],
    ['refused, a delete', 'a forgotten delete'],
  ])('does not end the process if a write was not awaited: %s', async (_, how) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): unknown => unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      expect((await goOn(how)).codes).toEqual(['INTERNAL_SERVER_ERROR']);
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
    expect(logged.join('\n')).toContain('started but not awaited');
  });
});

describe('Two transactions that wait for each other', () => {
  // The embedded database has one connection: there, the second begins when the first has ended.
  itOnPostgres('are both carried out; the one that was aborted is repeated', async () => {
    for (const code of ['left', 'right']) await world.as('admin').post('/items/boxes', { code });
    const collections = world.app.app.get(Collections);
    const caller = collections.asSystem('a test');
    let begun = 0;
    let locked = 0;
    let arrive = (): void => {};
    const bothThere = new Promise<void>((resolve) => (arrive = resolve));
    let done = (): void => {};
    const oneIsDone = new Promise<void>((resolve) => (done = resolve));
    const lock = `SELECT 1 FROM boxes WHERE code = $1 FOR UPDATE`;
    const take = (first: string, second: string): Promise<void> =>
      collections.transaction(caller, async ({ tx, write }) => {
        // Otherwise the aborted one may take its lock again before the other one, which waits for it, continues.
        if ((begun += 1) === 3) await oneIsDone;
        await tx.query(lock, [first]);
        if ((locked += 1) === 2) arrive();
        await bothThere;
        await tx.query(lock, [second]);
        await write.create('slips', [{ text: `${first} ${second}` }]);
      });
    const before = await count('slips');
    await Promise.all([take('left', 'right').then(done), take('right', 'left').then(done)]);
    expect([begun, await count('slips')]).toEqual([3, before + 2]);
  });
});

describe('Closing the application', () => {
  it('waits for work that runs after a commit', async () => {
    let release = (): void => {};
    kept.held = new Promise((resolve) => (release = resolve));
    const deleted = await world.as('admin').delete('/items/boxes/late');
    expect([deleted.status, kept.isDone]).toEqual([204, undefined]);
    closing = world.app.close();
    release();
    await closing;
    expect(kept.isDone).toBe(true);
  });
});
