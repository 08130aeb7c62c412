import { Module } from '@nestjs/common';
import { Collection, CollectionsModule, Field } from 'doorward';
import { create, read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';

/** The maximum number of characters of an answer. */
const FULL = 32 * 1024 * 1024;

@Collection('notes')
class Note {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) title!: string | null;
  @Field.integer({ nullable: true }) qty!: number | null;
  @Field.decimal({ precision: 5, scale: 2, nullable: true }) price!: string | null;
  @Field.json({ nullable: true }) meta!: unknown;
  @Field.timestamp({ nullable: true }) moment!: string | null;
  @Field.bigint({ nullable: true }) big!: string | null;
  @Field.double({ nullable: true }) rate!: number | null;
  @Field.computed('text', { from: ['qty'], value: ({ qty }) => `qty ${JSON.stringify(qty)}` })
  description!: string | null;
}

@Module({ imports: [CollectionsModule.forFeature([Note])] })
class NotesModule {}

/** Validations of updates, by the name of the user to whom they apply. */
const VALIDATIONS: Readonly<Record<string, object>> = {
  known: { meta: { _nnull: true } },
  filled: { meta: { _nempty: true } },
  late: { moment: { _gt: '2024-01-01T00:00:00.123Z' } },
  cheap: { price: { _lte: 10.004 } },
  small: { big: { _lt: '9223372036854775807' } },
  unlike: { title: { _nicontains: 'ÄB' } },
  between: { rate: { _nbetween: [0.1, 0.3] } },
  among: { title: { _in: ['x', 'X'] } },
};

let world: World;

beforeAll(async () => {
  const app = await startTestApp({ imports: [NotesModule], synchronize: true });
  // As a team's own migration may do.
  await app.database.query('ALTER TABLE notes ALTER moment TYPE timestamptz(6)');
  const policies = Object.entries(VALIDATIONS).map(([name, validation]) => [
    name,
    [read('notes', ['qty']), update('notes', ['qty'], {}, { validation })],
  ]);
  const users = Object.keys(VALIDATIONS).map((name) => [name, { policies: [name] }]);
  world = await seed(app, {
    policies: {
      ...(Object.fromEntries(policies) as object),
      notes: [read('notes', ['*']), create('notes', ['*']), update('notes', ['*'])],
    },
    users: {
      ...(Object.fromEntries(users) as object),
      ann: { policies: ['notes'] },
    },
  });
});

afterAll(() => world.app.close());

async function put(column: string, value: string): Promise<number> {
  const [row] = await world.app.database.query<{ id: number }>(
    `INSERT INTO notes (qty, ${column}) VALUES (1, ${value}) RETURNING id`,
  );
  return row?.id ?? 0;
}

async function entries(): Promise<number> {
  const text = 'SELECT count(*)::int4 AS count FROM service_activity';
  const [row] = await world.app.database.query<{ count: number }>(text);
  return row?.count ?? 0;
}

describe('An update of one item is checked like an update of several', () => {
  it.each<[string, string, string, boolean]>([
    ['known', 'meta', `'null'`, false],
    ['known', 'meta', `'{}'`, true],
    ['filled', 'meta', `'null'`, false],
    ['filled', 'meta', `'[]'`, false],
    ['late', 'moment', `'2024-01-01 00:00:00.1236+00'`, false],
    ['late', 'moment', `'2024-01-01 00:00:00.124+00'`, true],
    ['late', 'moment', `'10000-01-01'`, true],
    ['cheap', 'price', '10.00', true],
    ['cheap', 'price', '10.01', false],
    ['cheap', 'price', `'NaN'`, false],
    ['small', 'big', '9223372036854775806', true],
    ['small', 'big', '9223372036854775807', false],
    ['small', 'big', 'NULL', false],
    ['unlike', 'title', `'xäBx'`, false],
    ['unlike', 'title', 'NULL', true],
    ['between', 'rate', '0.2', false],
    ['between', 'rate', 'NULL', true],
    ['between', 'rate', `'NaN'`, true],
    ['among', 'title', `'X'`, true],
    ['among', 'title', `'x '`, false],
  ])('by «%s», where %s is %s: %s', async (who, column, value, allowed) => {
    const id = await put(column, value);
    const client = world.as(who);
    const alone = await client.patch(`/items/notes/${id}`, { qty: 2 });
    const listed = await client.patch('/items/notes', { keys: [id], data: { qty: 3 } });
    expect([alone.status, listed.status]).toEqual(allowed ? [200, 200] : [400, 400]);
    expect(alone.codes).toEqual(allowed ? [] : ['FAILED_VALIDATION']);
  });
});

describe('The answer to a write of one item', () => {
  it('has the fields that functions compute', async () => {
    const made = await world.as('ann').post('/items/notes', { qty: 1 });
    expect(made.data).toMatchObject({ qty: 1, description: 'qty 1' });
    const id = String(made.data['id']);
    const changed = await world
      .as('ann')
      .patch(`/items/notes/${id}?fields=description`, { qty: 2 });
    expect(changed.data).toEqual({ description: 'qty 2' });
  });

  it.each([
    ['succeeds below the maximum size', -1_000, [200, 7, 1]],
    ['refuses the write completely above the maximum size', 1_000, [400, 1, 0]],
  ])('%s', async (_, more, expected) => {
    const id = await put('title', `repeat('x', ${FULL + more})`);
    const before = await entries();
    const { status } = await world.as('ann').patch(`/items/notes/${id}?fields=title`, { qty: 7 });
    const { database } = world.app;
    const [row] = await database.query<{ qty: number }>('SELECT qty FROM notes WHERE id = $1', [
      id,
    ]);
    expect([status, row?.qty, (await entries()) - before]).toEqual(expected);
    await database.query('DELETE FROM notes WHERE id = $1', [id]);
  });
});
