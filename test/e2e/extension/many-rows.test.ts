import { Collection, CollectionsModule, Field } from 'doorward';
import { create, read, seed, update, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { recordWrites, type Reply, startTestApp } from '../../support';

@Collection('parcels')
class Parcel {
  @Field.key('integer') id!: number;
  @Field.text({ length: 40 }) label!: string;
  @Field.integer({ nullable: true }) weight!: number | null;
  @Field.array('text', { nullable: true }) marks!: string[] | null;
  @Field.json({ nullable: true }) note!: unknown;
  @Field.text({ default: 'new' }) state!: string;
  @Field.toOne('parcels', { nullable: true }) within!: number | null;
}

@Collection('crates')
class Crate {
  @Field.key('uuid') id!: string;
  @Field.text({ nullable: true }) label!: string | null;
  @Field.decimal({ precision: 10, scale: 2, nullable: true }) weight!: string | null;
}

const LIGHT = { _or: [{ weight: { _null: true } }, { weight: { _lte: 5000 } }] };
const PARCELS = ['id', 'label', 'weight', 'marks', 'note', 'state', 'within'];

const SEED = {
  policies: {
    packing: [
      read('parcels', PARCELS),
      create('parcels', PARCELS, {}, { validation: LIGHT, presets: { state: 'packed' } }),
      update('parcels', PARCELS, { state: { _neq: 'sealed' } }, { validation: LIGHT }),
      read('crates', ['*']),
      create('crates', ['*']),
      update('crates', ['*']),
      read('articles', ['*']),
      read('categories', ['*']),
      create('articles', ['*'], { category: { name: { _neq: 'Closed' } } }),
    ],
  },
  users: { ann: { policies: ['packing'] } },
};

/** Constraints and triggers that a team's own migration may add. */
const DEMANDS = [
  'ALTER TABLE parcels ADD CONSTRAINT labelled_once UNIQUE (label)',
  `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF NEW.label = 'Lost' THEN RETURN NULL; END IF; RETURN NEW; END $$`,
  'CREATE TRIGGER lose BEFORE INSERT OR UPDATE ON parcels FOR EACH ROW EXECUTE FUNCTION lose()',
];

const MANY = 1_000;
const MAX_STATEMENTS = 10;

let world: World;

beforeAll(async () => {
  const imports = [SampleModule, CollectionsModule.forFeature([Parcel, Crate])];
  const app = await startTestApp({ imports, synchronize: true });
  for (const demand of DEMANDS) await app.database.query(demand);
  world = await seed(app, SEED);
  await world.as('admin').post('/items/categories', [{ name: 'Open' }, { name: 'Closed' }]);
});

beforeEach(() => world.app.database.query('TRUNCATE parcels, crates RESTART IDENTITY'));

afterAll(() => world.app.close());

const ann = () => world.as('ann');

const numbers = (count = MANY): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** How many statements a write takes, within its transaction. */
async function counted(work: () => Promise<{ readonly status: number }>): Promise<number> {
  const recorded = recordWrites(world.app.database);
  try {
    expect((await work()).status).toBe(200);
    return recorded.texts.length;
  } finally {
    recorded.stop();
  }
}

const stored = (columns = 'id, label'): Promise<Record<string, unknown>[]> =>
  world.app.database.query(`SELECT ${columns} FROM parcels ORDER BY id`);

const pack = (count: number) =>
  world.app.database.query(
    `INSERT INTO parcels (label, state) SELECT 'Parcel ' || n, CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END FROM generate_series(1, $1::int4) n`,
    [count],
  );

describe(`${MANY} items take at most ${MAX_STATEMENTS} statements`, () => {
  it('when they are created, and the answer has the order in which they were sent', async () => {
    const payloads = numbers().map((n) => ({ label: `Parcel ${n}`, weight: n }));
    const send = () => ann().post('/items/parcels?fields=label', payloads);
    expect(await counted(send)).toBeLessThanOrEqual(MAX_STATEMENTS);
    expect(await stored()).toEqual(payloads.map(({ label }, at) => ({ id: at + 1, label })));
    await world.app.database.query('TRUNCATE parcels RESTART IDENTITY');
    const reply = await send();
    expect(reply.data).toEqual(payloads.map(({ label }) => ({ label })));
  });

  it('when a rule follows one of their references, and some omit fields that others set', async () => {
    const [open] = await world.app.database.query<{ id: number }>(
      `SELECT id FROM categories WHERE name = 'Open'`,
    );
    const payloads = numbers().map((n) => ({
      ...{ title: `Article ${n}`, category: open?.id },
      ...(n % 3 === 0 && { price: '12.5' }),
    }));
    const send = () => ann().post('/items/articles?fields=id', payloads);
    expect(await counted(send)).toBeLessThanOrEqual(MAX_STATEMENTS);
  });

  it('when their keys are generated UUIDs, and when each then gets its own values', async () => {
    const payloads = numbers().map((n) => ({ label: `Crate ${n}` }));
    const made: string[] = [];
    const send = async () => {
      const reply = await ann().post('/items/crates?fields=id', payloads);
      made.push(...(reply.data as unknown as { id: string }[]).map(({ id }) => id));
      return reply;
    };
    expect(await counted(send)).toBeLessThanOrEqual(MAX_STATEMENTS);
    const changes = made.map((id, at) => ({ id, weight: `${at}.25` }));
    const change = () => ann().patch('/items/crates?fields=id', changes);
    expect(await counted(change)).toBeLessThanOrEqual(MAX_STATEMENTS);
    const rows = await world.app.database.query('SELECT id, label, weight FROM crates');
    expect(new Map(rows.map(({ id, ...row }) => [id, row]))).toEqual(
      new Map(made.map((id, at) => [id, { label: `Crate ${at + 1}`, weight: `${at}.25` }])),
    );
  });

  it('when each gets its own values', async () => {
    await pack(MANY);
    const changes = numbers().map((id) => ({ id, weight: MANY - id, marks: [`${id}`] }));
    const send = () => ann().patch('/items/parcels?fields=id', changes);
    expect(await counted(send)).toBeLessThanOrEqual(MAX_STATEMENTS);
    expect(await stored('id, weight, marks')).toEqual(changes);
  });

  it.each([
    ['keys', () => ({ keys: numbers() })],
    ['query', () => ({ query: { filter: { weight: { _null: true } }, limit: -1 } })],
  ])('when all get the same values (%s)', async (_, selected) => {
    await pack(MANY);
    const body = { ...selected(), data: { weight: 7 } };
    const send = () => ann().patch('/items/parcels?fields=id', body);
    expect(await counted(send)).toBeLessThanOrEqual(MAX_STATEMENTS);
    expect(await stored('weight')).toEqual(numbers().map(() => ({ weight: 7 })));
  });

  it('when they are nested in a list', async () => {
    const notes = numbers().map((n) => ({ text: `Note ${n}` }));
    const send = () =>
      world.as('admin').post('/items/articles?fields=id', { title: 'Noted', notes });
    expect(await counted(send)).toBeLessThanOrEqual(MAX_STATEMENTS);
  });
});

describe('Writing many at once leaves the same as writing them one by one', () => {
  const odd = [
    { label: 'A', marks: [], note: 'text' },
    { label: 'B', marks: ['a,b', '"', '\\', 'NULL', ''], note: ['x', [null], { y: '{}' }] },
    { label: 'C', marks: null, note: 0 },
    { label: 'D', marks: ['{}'], note: false },
    { label: 'ß', marks: ['[1]'], note: {} },
    { label: '{"c0": 1}', marks: ['ä'], note: null },
  ];

  it('whatever the values are', async () => {
    const reply = await ann().post('/items/parcels?fields=label,marks,note,state', odd);
    expect(reply.data).toEqual(odd.map((row) => ({ ...row, state: 'packed' })));
    await pack(odd.length);
    const ids = (await stored()).slice(odd.length).map(({ id }) => id);
    const values = odd.map(({ marks, note }, at) => ({ id: ids[at], marks, note }));
    const changed = await ann().patch('/items/parcels?fields=id,marks,note', values);
    expect(changed.data).toEqual(values);
  });

  it('where some keys were chosen by clients', async () => {
    const taken = [2, 3, 5].map((id) => ({ id, label: `Taken ${id}` }));
    expect((await ann().post('/items/parcels', taken)).status).toBe(200);
    const reply = await ann().post('/items/parcels?fields=id', numbers(5).map(labelled));
    expect(reply.data).toEqual([1, 4, 6, 7, 8].map((id) => ({ id })));
  });

  it('where one is sent with a key that would be generated next', async () => {
    const rows = [...numbers(4).map(labelled), { id: 2, label: 'Second' }];
    const reply = await ann().post('/items/parcels', rows);
    expect(reply.codes[0]).toBe('RECORD_NOT_UNIQUE');
    expect(await stored()).toEqual([]);
  });
});

describe('A query selects for a write', () => {
  const selected = async (query: object): Promise<number[]> => {
    await pack(250);
    const reply = await ann().patch('/items/parcels', { query, data: { weight: 7 } });
    expect(reply.status).toBe(200);
    const written = await stored('id, weight');
    return written.flatMap(({ id, weight }) => (weight === 7 ? [Number(id)] : []));
  };

  it.each<[string, object, number, number]>([
    ['all rows', {}, 1, 250],
    ['rows after an offset', { offset: 240 }, 241, 250],
    ['a page', { page: 2, limit: 10 }, 11, 20],
    ['a page of the length of a page that is read', { page: 2 }, 101, 200],
    ['the first such page', { page: 1 }, 1, 100],
    ['rows after an offset, whatever the page', { page: 2, offset: 240 }, 241, 250],
  ])('%s', async (_, query, first, last) => {
    const all = await selected(query);
    expect(all).toEqual(numbers(last).slice(first - 1));
  });
});

const errorsOf = ({ body }: Reply) =>
  (body as { errors?: { extensions: object }[] }).errors?.map(({ extensions }) => extensions);

/** The same errors, about the last of eight items. */
const ofLast = (reply: Reply) => errorsOf(reply)?.map((each) => ({ ...each, item: 7 }));

const labelled = (n: number) => ({ label: `Parcel ${n}` });

describe('Writing many at once is refused like writing them one by one', () => {
  it.each([
    ['a value that is taken', { label: 'Parcel 1' }, 'RECORD_NOT_UNIQUE'],
    ['a row that a trigger drops', { label: 'Lost' }, 'FAILED_VALIDATION'],
    ['a row that a rule refuses', { label: 'Heavy', weight: 6000 }, 'FAILED_VALIDATION'],
    ['a row without a required field', { weight: 1 }, 'FAILED_VALIDATION'],
    ['a parent that does not exist', { label: 'Within', within: 99 }, 'INVALID_FOREIGN_KEY'],
    ['a key that is taken', { id: 1, label: 'Again' }, 'RECORD_NOT_UNIQUE'],
  ])('creates: %s', async (_, row, code) => {
    await pack(1);
    const before = await stored();
    const rows = [...numbers(8).slice(1).map(labelled), row];
    const many = await ann().post('/items/parcels', rows);
    expect(many.codes[0]).toBe(code);
    expect(await stored()).toEqual(before);
    const alone = await ann().post('/items/parcels', row);
    expect(errorsOf(many)).toEqual(ofLast(alone));
  });

  it('updates: a row that a trigger skips or a rule refuses', async () => {
    await pack(8);
    const before = await stored('*');
    const others = numbers(7).map((id) => ({ id, weight: id }));
    const lost = await ann().patch('/items/parcels', [...others, { id: 8, label: 'Lost' }]);
    expect(lost.codes[0]).toBe('FAILED_VALIDATION');
    const heavy = await ann().patch('/items/parcels', [...others, { id: 8, weight: 6000 }]);
    expect(heavy.codes[0]).toBe('FAILED_VALIDATION');
    const alone = await ann().patch('/items/parcels/8', { weight: 6000 });
    expect(errorsOf(heavy)).toEqual(ofLast(alone));
    expect(await stored('*')).toEqual(before);
  });

  it('updates: each row takes the value of the next one', async () => {
    await pack(6);
    const shifted = numbers(5).map((id) => ({ id, label: `Parcel ${id + 1}` }));
    const taken = await ann().patch('/items/parcels', [...shifted, { id: 6, label: 'Parcel 7' }]);
    expect(taken.codes[0]).toBe('RECORD_NOT_UNIQUE');
    const backwards = [{ id: 6, label: 'Parcel 7' }, ...shifted.toReversed()];
    expect((await ann().patch('/items/parcels', backwards)).status).toBe(200);
    expect(await stored()).toEqual(numbers(6).map((id) => ({ id, label: `Parcel ${id + 1}` })));
  });
});
