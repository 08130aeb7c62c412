import { TablesAtStart } from '../../../../src/collections/tables-at-start';
import { Collection, CollectionsModule, Field, provideSchema } from 'doorward';
import type { QueryRunner } from 'typeorm';
import { seed } from '../../../factories';
import { startTestApp, type TestApp } from '../../../support';

const LINES = 'id int, line int, note text';

@Collection('lines', { existing: true })
class Line {
  @Field.key('integer', { generated: false }) id!: number;
  @Field.text({ nullable: true }) note!: string | null;
}

/** The same rows: several of them may have the same key. */
@Collection('read_lines', { table: 'lines_by_number', view: true })
class ReadLine {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) note!: string | null;
}

class Lines1763800000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE lines (${LINES}, PRIMARY KEY (id));
      CREATE TABLE lines_by_number (${LINES}, PRIMARY KEY (id, line));
      INSERT INTO lines_by_number VALUES (1, 1, 'a')`);
  }

  async down(): Promise<void> {
    // Nothing reverts it.
  }
}

let app: TestApp;

beforeAll(async () => {
  const old = {
    module: class Old {},
    providers: [provideSchema({ migrations: [Lines1763800000000] })],
  };
  app = await startTestApp({ imports: [CollectionsModule.forFeature([Line, ReadLine]), old] });
});

afterAll(() => app.close());

// Checked as by the next start.
const start = (): Promise<void> =>
  app.app.get(TablesAtStart, { strict: false }).onApplicationBootstrap();
const remake = (keys: string, more = ''): Promise<unknown> =>
  app.database
    .query('DROP TABLE lines')
    .then(() => app.database.query(`CREATE TABLE lines (${LINES}${keys}) ${more}`));

it.each([
  ['has a key of two columns', ', PRIMARY KEY (id, line)', ''],
  ['is partitioned by another column', ', PRIMARY KEY (id, line)', 'PARTITION BY RANGE (line)'],
  ['has no key', ', UNIQUE (line)', ''],
  ['checks its key only at the commit', ', PRIMARY KEY (id) DEFERRABLE INITIALLY DEFERRED', ''],
])('The service does not start on an existing table that %s', async (_, keys, more) => {
  await remake(keys, more);
  await expect(start()).rejects.toMatchObject({
    name: 'RegistrationError',
    message:
      'Line.id is the key, but "lines" has no unique index on this column alone, so several rows may have the same key: add one, or declare the collection with { view: true }, which is only read.',
  });
});

it('nor on one that is unique in some rows only', async () => {
  await remake('');
  await app.database.query('CREATE UNIQUE INDEX few ON lines (id) WHERE line > 1');
  await expect(start()).rejects.toMatchObject({ name: 'RegistrationError' });
  await app.database.query('CREATE UNIQUE INDEX every ON lines (id) INCLUDE (line)');
  await start();
});

it('such a table is read as a view', async () => {
  const admin = (await seed(app)).as('admin');
  expect((await admin.get('/items/read_lines')).data).toEqual([{ id: 1, note: 'a' }]);
  expect((await admin.post('/items/read_lines', { id: 2 })).status).toBe(403);
});
