import { Logger } from '@nestjs/common';
import { Collection, CollectionsModule, Field, provideSchema } from 'doorward';
import type { QueryRunner } from 'typeorm';
import { TablesAtStart } from '../../../../src/collections/tables-at-start';
import { startTestApp, type TestApp } from '../../../support';

@Collection('members', { table: 'tbl_member', existing: true })
class Member {
  @Field.key('integer') id!: number;
  @Field.text({ column: 'card no' }) card!: string;
}

/** Is never written, so it lacks nothing. */
@Collection('visits', { table: 'tbl_visit', view: true })
class Visit {
  @Field.key('integer') id!: number;
}

class Members1763800000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tbl_member (
        id serial PRIMARY KEY, "card no" text NOT NULL, note text, version integer NOT NULL);
      CREATE TABLE tbl_visit (id serial PRIMARY KEY, version integer NOT NULL)`);
  }

  async down(): Promise<void> {
    // Nothing reverts it.
  }
}

let app: TestApp;
let warned: jest.SpyInstance;

beforeAll(async () => {
  const old = {
    module: class Old {},
    providers: [provideSchema({ migrations: [Members1763800000000] })],
  };
  app = await startTestApp({ imports: [CollectionsModule.forFeature([Member, Visit]), old] });
});

afterAll(() => app.close());

beforeEach(() => {
  warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
});

afterEach(() => warned.mockRestore());

/** Checked as by the next start. */
async function warnings(): Promise<unknown[]> {
  await app.app.get(TablesAtStart, { strict: false }).onApplicationBootstrap();
  return warned.mock.calls.map(([sentence]) => sentence as unknown);
}

const TRIGGER = `
  CREATE FUNCTION give_version() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.version := 1; RETURN NEW; END';
  CREATE TRIGGER give BEFORE INSERT ON tbl_member FOR EACH ROW EXECUTE FUNCTION give_version()`;

it('A start warns of a column that no field and no default fills', async () => {
  expect(await warnings()).toEqual([
    'Member has no field for the column version of "tbl_member", which cannot be null and has no default: no item can be created. Give the column a default, or declare a field for it.',
  ]);
});

it.each([
  ['a trigger fills it', TRIGGER],
  [
    'it has a default',
    'DROP TRIGGER give ON tbl_member; ALTER TABLE tbl_member ALTER version SET DEFAULT 1',
  ],
  [
    'it is generated',
    'ALTER TABLE tbl_member DROP version, ADD version integer NOT NULL GENERATED ALWAYS AS (1) STORED',
  ],
  [
    'it is numbered',
    'ALTER TABLE tbl_member DROP version, ADD version integer GENERATED ALWAYS AS IDENTITY',
  ],
  ['it may be null', 'ALTER TABLE tbl_member DROP version, ADD version integer'],
])('and of none where %s', async (_, change) => {
  await app.database.query(change);
  expect(await warnings()).toEqual([]);
});
