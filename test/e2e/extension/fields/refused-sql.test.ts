import { TablesAtStart } from '../../../../src/collections/tables-at-start';
import { Collection, CollectionsModule, Field, provideSchema } from 'doorward';
import { Column, type QueryRunner } from 'typeorm';
import { seed } from '../../../factories';
import {
  makeTestStorage,
  refusalOf,
  startTestApp,
  type TestApp,
  type TestStorage,
} from '../../../support';

function computedBy(sql: string): new () => object {
  @Collection('reckoned')
  class Reckoned {
    @Field.key('integer') id!: number;
    @Field.computed('integer', { from: ['id'], sql: (column) => `${column('id')} + 1` })
    right!: number | null;
    @Field.computed('integer', { from: ['id'], sql: () => sql }) wrong!: number | null;
  }
  return Reckoned;
}

let own: TestStorage;

beforeAll(async () => {
  own = await makeTestStorage();
});

afterAll(() => own.drop());

it.each([
  ['nothere', 'column "nothere" does not exist'],
  ['sum(t.id)', 'aggregate functions are not allowed in WHERE'],
  [`'one'::integer`, 'invalid input syntax for type integer: "one"'],
])('The service does not start with a field that is computed by %s', async (sql, reason) => {
  const imports = [CollectionsModule.forFeature([computedBy(sql)])];
  const { storage } = own;
  const starting = startTestApp({ imports, storage, synchronize: true, logger: false });
  expect(await refusalOf(starting)).toMatchObject({
    name: 'RegistrationError',
    message: `Reckoned.wrong is computed by SQL that the database refuses (${reason}): correct its sql.`,
  });
});

it('The service does not start if the collation of a text column treats different texts as equal', async () => {
  @Collection('mates')
  class Mate {
    @Field.key('integer') id!: number;
    @Field.text({ nullable: true, column: 'e_mail' }) email!: string | null;
  }
  const imports = [CollectionsModule.forFeature([Mate])];
  const app = await startTestApp({ imports, synchronize: true });
  await app.database.query(
    `CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
  );
  await app.database.query('ALTER TABLE mates ALTER e_mail TYPE text COLLATE loose');
  // Checked as by the next start, since an embedded database in memory has no next start.
  const starting = app.app.get(TablesAtStart, { strict: false }).onApplicationBootstrap();
  await expect(starting).rejects.toMatchObject({
    name: 'RegistrationError',
    message: expect.stringContaining('Mate.email has the collation loose') as string,
  });
  await app.close();
});

it('The service does not start with a text that is computed of two collations', async () => {
  const collation = 'C';
  @Collection('mixed')
  class Mixed {
    @Field.key('integer') id!: number;
    @Field.text({ nullable: true }) plain!: string | null;
    @Field.expose() @Column({ type: 'text', collation, nullable: true }) german!: string | null;
    @Field.expose()
    @Column({ type: 'text', collation: 'POSIX', nullable: true })
    french!: string | null;
    @Field.computed('text', {
      from: ['plain', 'german'],
      sql: (column) => `${column('plain')} || ${column('german')}`,
    })
    right!: string | null;
    @Field.computed('text', {
      from: ['german', 'french'],
      sql: (column) => `${column('german')} || ${column('french')}`,
    })
    wrong!: string | null;
  }
  const imports = [CollectionsModule.forFeature([Mixed])];
  const { storage } = own;
  const starting = startTestApp({ imports, storage, synchronize: true, logger: false });
  expect(await refusalOf(starting)).toMatchObject({
    name: 'RegistrationError',
    message: expect.stringMatching(
      /^Mixed\.wrong is computed by SQL that the database refuses \(collation mismatch/,
    ) as string,
  });
});

describe('A column of an existing table whose type is', () => {
  @Collection('parts', { existing: true })
  class Part {
    @Field.key('integer') id!: number;
    @Field.text({ nullable: true }) label!: string | null;
    @Field.double({ nullable: true }) weight!: number | null;
    @Field.json({ nullable: true }) doc!: unknown;
    @Field.array('text', { nullable: true }) words!: string[] | null;
    @Field.enum(['a', 'b'], { nullable: true }) state!: 'a' | 'b' | null;
    @Field.enum(['a', 'b'], { nullable: true, type: 'kind' }) kind!: 'a' | 'b' | null;
    @Field.enum(['a'], { nullable: true, type: 'other.kind' }) far!: 'a' | null;
  }
  class Parts1763800000000 {
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(
        `CREATE SCHEMA other; CREATE TYPE other.kind AS ENUM ('a'); CREATE TYPE kind AS ENUM ('c', 'a', 'b');
         CREATE TABLE parts (
           id serial PRIMARY KEY, label text, weight float8, doc jsonb, words text[], state text, kind kind,
           far other.kind)`,
      );
    }

    async down(): Promise<void> {
      // Nothing reverts it.
    }
  }
  let app: TestApp;

  beforeAll(async () => {
    const imports = [
      CollectionsModule.forFeature([Part]),
      { module: class Old {}, providers: [provideSchema({ migrations: [Parts1763800000000] })] },
    ];
    app = await startTestApp({ imports });
    await app.database.query('CREATE DOMAIN code AS char(8)');
    await app.database.query('CREATE DOMAIN label AS varchar(8)');
    await app.database.query(`CREATE TYPE few AS ENUM ('a')`);
    await app.database.query('CREATE DOMAIN kept AS kind');
  });

  afterAll(() => app.close());

  // Checked as by the next start, as above.
  const start = (): Promise<void> =>
    app.app.get(TablesAtStart, { strict: false }).onApplicationBootstrap();
  const retype = (column: string, type: string): Promise<unknown> =>
    app.database.query(`ALTER TABLE parts DROP ${column}, ADD ${column} ${type}`);

  it.each([
    ['label', 'char(8)', 'character', 'text'],
    ['label', 'code', 'character', 'text'],
    ['label', 'name', 'name', 'text'],
    ['weight', 'real', 'real', 'float8'],
    ['doc', 'json', 'json', 'jsonb'],
    ['words', 'char(3)[]', 'character', 'text[]'],
    ['words', 'code[]', 'character', 'text[]'],
    ['words', 'kind[]', 'kind[]', 'text[]'],
  ])('otherwise compared (%s %s) keeps the service from starting', async (...of) => {
    const [column, type, named, right] = of;
    await retype(column, type);
    await expect(start()).rejects.toMatchObject({
      name: 'RegistrationError',
      message: `Part.${column} is of the type ${named}, which cannot be read: remove the field, or show it by a view.`,
    });
    await retype(column, right);
  });

  it.each([
    ['label', 'uuid', 'uuid', 'text'],
    ['label', 'integer', 'integer', 'text'],
    ['label', 'jsonb', 'jsonb', 'text'],
    ['label', 'text[]', 'text[]', 'text'],
    ['label', 'timestamptz', 'timestamp with time zone', 'text'],
    ['weight', 'text', 'text', 'float8'],
    ['doc', 'text', 'text', 'jsonb'],
    ['words', 'text', 'text', 'text[]'],
    ['words', 'uuid[]', 'uuid[]', 'text[]'],
    ['kind', 'text', 'text', '"kind"', 'kind'],
    ['far', 'text', 'text', '"other"."kind"', 'other.kind'],
  ])('another than its own (%s %s) keeps the service from starting', async (...of) => {
    const [column, type, named, declared, right = declared] = of;
    await retype(column, type);
    await expect(start()).rejects.toMatchObject({
      name: 'RegistrationError',
      message: `Part.${column} is of the type ${named} in the database, and not ${declared}: declare it with the type of its column, or write a migration that changes the column.`,
    });
    await retype(column, right);
  });

  it.each([
    ['label', 'kind', 'text', 'text'],
    ['state', 'kind', 'text', 'text'],
    ['far', 'kind', '"other"."kind"', 'other.kind'],
    ['kind', 'other.kind', '"kind"', 'kind'],
  ])(
    'an enum that the field does not name (%s %s) keeps the service from starting',
    async (...of) => {
      const [column, type, declared, right] = of;
      await retype(column, type);
      await expect(start()).rejects.toMatchObject({
        name: 'RegistrationError',
        message: `Part.${column} is of the enum type ${type} in the database, and not ${declared}: declare it as Field.enum([…], { type: '${type}' }).`,
      });
      await retype(column, right);
    },
  );

  it('an enum that lacks a choice of the field keeps the service from starting', async () => {
    await app.database.query('ALTER TYPE kind RENAME TO full_kind');
    await app.database.query('ALTER TYPE few RENAME TO kind');
    await retype('kind', 'kind');
    await expect(start()).rejects.toMatchObject({
      name: 'RegistrationError',
      message: 'Part.kind has the choice b, which the enum type kind lacks: its values are a.',
    });
    await app.database.query('ALTER TYPE kind RENAME TO few');
    await app.database.query('ALTER TYPE full_kind RENAME TO kind');
    await retype('kind', 'kind');
  });

  it('an enum in another schema is read, written and filtered', async () => {
    const admin = (await seed(app)).as('admin');
    const made = await admin.post('/items/parts?fields=far,kind', { far: 'a', kind: 'b' });
    expect(made.data).toEqual({ far: 'a', kind: 'b' });
    const found = await admin.get('/items/parts?fields=far&filter[far][_eq]=a&filter[kind][_in]=b');
    expect(found.data).toEqual([{ far: 'a' }]);
  });

  it.each([
    ['label', 'varchar(9)', 'text'],
    ['label', 'label', 'text'],
    ['weight', 'numeric(4,2)', 'float8'],
    ['words', 'label[]', 'text[]'],
    ['words', 'varchar(3)[]', 'text[]'],
    ['kind', 'kept', 'kind'],
  ])('known (%s %s) does not', async (column, type, right) => {
    await retype(column, type);
    await start();
    await retype(column, right);
  });
});
