import { Collection, CollectionsModule, Field } from 'doorward';
import { create, read, remove, seed, update, type World } from '../../factories';
import { type Reply, startTestApp } from '../../support';

@Collection('wares')
class Ware {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.text() text!: string;
  @Field.integer() amount!: number;
  @Field.integer({ nullable: true }) most!: number | null;
  @Field.integer({ nullable: true }) twice!: number | null;
  @Field.text({ default: 'none' }) note!: string;
  @Field.toOne('wares', { nullable: true, unique: true }) twin!: number | null;
}

@Collection('receipts')
class Receipt {
  @Field.key('bigint') id!: string;
  @Field.text() text!: string;
}

const SEED = {
  policies: {
    trading: [
      read('receipts', ['*']),
      create('receipts', ['*']),
      read('wares', ['*']),
      create('wares', ['*']),
      update('wares', ['*']),
      remove('wares'),
    ],
    peddling: [
      create('wares', ['name', 'text', 'most'], { name: { _neq: 'Barred' } }),
      read('wares', ['name']),
    ],
  },
  users: { ann: { policies: ['trading'] }, bob: { policies: ['peddling'] } },
};

/** Constraints that a team's own migration may add. */
const DEMANDS = [
  `ALTER TABLE wares ADD CONSTRAINT positive CHECK (amount > 0)`,
  `ALTER TABLE wares ADD CONSTRAINT at_most CHECK (amount <= most)`,
  `ALTER TABLE wares DROP COLUMN twice`,
  `ALTER TABLE wares ADD COLUMN twice integer GENERATED ALWAYS AS (amount * 2) STORED`,
  `ALTER TABLE wares ADD CONSTRAINT together UNIQUE (name, most)`,
  `CREATE UNIQUE INDEX folded ON wares (lower(text::varchar))`,
  `ALTER TABLE wares ADD CONSTRAINT late UNIQUE (note) DEFERRABLE INITIALLY DEFERRED`,
  `CREATE FUNCTION minded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF coalesce(NEW.name, OLD.name) = 'Raised' THEN RAISE EXCEPTION 'do not say this'; END IF;
     IF coalesce(NEW.name, OLD.name) = 'Coded' THEN
       RAISE EXCEPTION 'do not say this' USING ERRCODE = 'insufficient_privilege'; END IF;
     IF coalesce(NEW.name, OLD.name) = 'Skipped' THEN RETURN NULL; END IF;
     RETURN coalesce(NEW, OLD); END $$`,
  `CREATE TRIGGER minded BEFORE INSERT OR UPDATE OR DELETE ON wares FOR EACH ROW EXECUTE FUNCTION minded()`,
];

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Ware, Receipt])];
  const app = await startTestApp({ imports, synchronize: true });
  for (const demand of DEMANDS) await app.database.query(demand);
  world = await seed(app, SEED);
});

afterAll(() => world.app.close());

let made = 0;
const ware = (more: object = {}) => {
  made += 1;
  return { name: `W${made}`, text: `T${made}`, note: `N${made}`, amount: 1, ...more };
};
const post = (caller: string, body: unknown): Promise<Reply> =>
  world.as(caller).post('/items/wares', body);
const put = async (more: object = {}): Promise<number> =>
  Number((await post('ann', ware(more))).data['id']);
const faults = ({ body }: Reply) =>
  (body as { errors?: { extensions: object }[] }).errors?.map(({ extensions }) => extensions);

describe('a refusal of the database', () => {
  const large = () => Array.from({ length: 20_000 }, () => Math.random().toString(36)).join('');

  it.each<[string, () => object, object]>([
    [
      'a check on one column',
      () => ({ amount: -1 }),
      { code: 'FAILED_VALIDATION', field: 'amount', type: 'check' },
    ],
    ['a check on two columns', () => ({ amount: 3, most: 2 }), { code: 'FAILED_VALIDATION' }],
    [
      'a generated column',
      () => ({ twice: 4 }),
      { code: 'FAILED_VALIDATION', field: 'twice', type: 'generated' },
    ],
    [
      'an index row that is too large',
      () => ({ text: large() }),
      { code: 'VALUE_TOO_LONG', collection: 'wares' },
    ],
    ['a trigger that raises', () => ({ name: 'Raised' }), { code: 'FAILED_VALIDATION' }],
    ['a trigger that raises with a code', () => ({ name: 'Coded' }), { code: 'FAILED_VALIDATION' }],
    ['a trigger that skips the row', () => ({ name: 'Skipped' }), { code: 'FAILED_VALIDATION' }],
  ])('by %s has a code and a message', async (_, more, fault) => {
    const [before] = await world.app.database.query('SELECT count(*) FROM wares');
    const reply = await post('ann', ware(more()));
    expect([reply.status, faults(reply)]).toEqual([400, [fault]]);
    expect(reply.text).not.toContain('do not say this');
    expect((await world.app.database.query('SELECT count(*) FROM wares'))[0]).toEqual(before);
  });

  it('names all fields of a unique constraint, including those on expressions and deferred ones', async () => {
    await put({ name: 'Same', text: 'Folded', most: 7, note: 'late' });
    const collection = 'wares';
    const code = 'RECORD_NOT_UNIQUE';
    expect(faults(await post('ann', ware({ name: 'Same', most: 7 })))).toEqual([
      { code, collection, fields: ['most', 'name'] },
    ]);
    expect(faults(await post('ann', ware({ text: 'FOLDED' })))).toEqual([
      { code, collection, field: 'text' },
    ]);
    expect(faults(await post('ann', ware({ note: 'late' })))).toEqual([
      { code, collection, field: 'note' },
    ]);
  });

  it('is reported for updates and deletes that a trigger skips', async () => {
    const id = await put();
    await world.app.database.query('ALTER TABLE wares DISABLE TRIGGER minded');
    await world.app.database.query(`UPDATE wares SET name = 'Skipped' WHERE id = $1`, [id]);
    await world.app.database.query('ALTER TABLE wares ENABLE TRIGGER minded');
    const path = `/items/wares/${id}`;
    const codes = [
      (await world.as('ann').patch(path, { amount: 5 })).codes,
      (await world.as('ann').delete(path)).codes,
    ];
    expect(codes).toEqual([['FAILED_VALIDATION'], ['FAILED_VALIDATION']]);
  });

  it('is reported for a to-one field that is unique', async () => {
    const twin = await put();
    await put({ twin });
    expect(faults(await post('ann', ware({ twin })))).toEqual([
      { code: 'RECORD_NOT_UNIQUE', collection: 'wares', field: 'twin' },
    ]);
  });
});

describe('required fields that are left out', () => {
  const required = (field: string) => ({ code: 'FAILED_VALIDATION', field, type: 'required' });

  it('are all named', async () => {
    const reply = await post('ann', { most: 1 });
    expect(faults(reply)).toEqual([required('name'), required('text'), required('amount')]);
  });

  it('are named if the caller may set them, and otherwise reported together as one error', async () => {
    const reply = await post('bob', { most: 1 });
    expect(faults(reply)).toEqual([
      required('name'),
      required('text'),
      { code: 'FAILED_VALIDATION' },
    ]);
  });

  it('are not named to callers who may not create the row', async () => {
    expect((await post('bob', { name: 'Barred' })).codes).toEqual(['FORBIDDEN']);
  });
});

describe('a key that the client sends', () => {
  const lastKey = async (): Promise<number> => {
    const [row] = await world.app.database.query<{ last: number }>(
      'SELECT max(id) AS last FROM wares',
    );
    return row?.last ?? 0;
  };

  it('does not block callers who send no key', async () => {
    const from = await put();
    const taken = Array.from({ length: 200 }, (_, index) => from + 1 + index);
    const odd = taken.map((key) => key + 200).filter((key) => key % 2 === 1);
    const sent = await post(
      'ann',
      [...taken, ...odd].map((id) => ware({ id })),
    );
    expect(sent.status).toBe(200);
    const replies = await Promise.all(Array.from({ length: 12 }, () => post('ann', ware())));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(
      (
        await post(
          'ann',
          Array.from({ length: 150 }, () => ware()),
        )
      ).status,
    ).toBe(200);
  });

  it('does not block creates if SQL filled a table without advancing its sequence', async () => {
    const made = async () => Number((await post('ann', ware())).data['id']);
    const next = (await made()) + 1;
    const end = next + 50_000;
    await world.app.database.query(
      `INSERT INTO wares (id, name, text, amount, note) SELECT id, 'W' || id, 'W' || id, 1, 'W' || id FROM generate_series($1::int4, $2::int4) AS id`,
      [next, end],
    );
    expect([await made(), await made()]).toEqual([end + 1, end + 2]);
    await world.app.database.query('DELETE FROM wares WHERE id BETWEEN $1 AND $2', [next, end]);
  });

  it('does not advance the sequence', async () => {
    const next = (await put()) + 1;
    expect((await post('ann', ware({ id: (await lastKey()) + 5000 }))).status).toBe(200);
    expect(await put()).toBe(next);
  });

  it('is refused if it exceeds the greatest by more than 10,000, except from an administrator', async () => {
    const last = await lastKey();
    const far = await post('ann', ware({ id: last + 10_001 }));
    expect(faults(far)).toEqual([{ code: 'VALUE_OUT_OF_RANGE', collection: 'wares', field: 'id' }]);
    const steps = [ware({ id: last + 10_000 }), ware({ id: last + 20_000 })];
    expect((await post('ann', steps)).codes).toEqual(['VALUE_OUT_OF_RANGE']);
    expect((await post('ann', ware({ id: last + 10_000 }))).status).toBe(200);
    expect((await post('admin', ware({ id: 2_147_483_647 }))).status).toBe(200);
    expect((await post('ann', ware())).status).toBe(200);
  });

  it('that is taken is reported', async () => {
    const id = await put();
    expect(faults(await post('ann', ware({ id })))).toEqual([
      { code: 'RECORD_NOT_UNIQUE', collection: 'wares', field: 'id' },
    ]);
  });

  it('of 64 bits does not block creates either, however great it is', async () => {
    const receipt = async (cells: object = {}): Promise<unknown> =>
      (await world.as('ann').post('/items/receipts', { text: 'Paid', ...cells })).data['id'];
    const next = Number(await receipt()) + 1;
    for (const id of [next, next + 1, '9223372036854775807'])
      expect(await receipt({ id })).toBe(id);
    expect(await receipt()).toBe(next + 2);
  });
});
