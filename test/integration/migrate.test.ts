import { provideSchema } from 'doorward';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { schemaOfApp } from '../../src/app.schema';
import { AppConfig } from '../../src/config/app-config';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { revertLast } from '../../src/database/revert';
import { migrations } from '../../src/database/migrations';
import { makeTestStorage, onPostgres } from '../support';

class Slow4102444800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE only_once (id int)');
    await runner.query('SELECT pg_sleep(0.2)');
    await runner.query('INSERT INTO only_once VALUES (1)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE only_once');
  }
}

/** Records which connection holds the lock of the migrations, and which timeouts apply to the running statement. */
class Locked4102444900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE noted AS SELECT pid = pg_backend_pid() AS own,
         current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock
       FROM pg_locks WHERE locktype = 'advisory' AND objid = (7215408311 & 4294967295)::oid
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE noted');
  }
}

class Apart4102445000000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX CONCURRENTLY ix_apart ON service_roles (name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_apart');
  }
}

class FailsApart4102445000000 extends Apart4102445000000 {
  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('BEGIN');
    await runner.query('SELECT 1 / 0');
  }
}

class SlowApart4102445000000 extends Apart4102445000000 {
  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT pg_sleep(0.4)');
  }
}

class Refused4102445000000 extends Apart4102445000000 {
  override transaction = true;

  override up(runner: QueryRunner): Promise<void> {
    return runner.query('ALTER TABLE service_roles ADD "name" text') as Promise<void>;
  }
}

class Repeated4102445000000 implements MigrationInterface {
  readonly name = 'Repeated4102445000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE twins AS SELECT 'Ann' AS name FROM generate_series(1, 2)`,
    );
    await queryRunner.query('CREATE UNIQUE INDEX twins_name ON twins (name)');
  }

  async down(): Promise<void> {}
}

const schemaWith = (migration: new () => MigrationInterface) => ({
  entities: [],
  migrations: [...migrations, migration],
});
const schema = schemaWith(Slow4102444800000);
// The embedded database has one process, so several cannot start together.
const instances = onPostgres() === undefined ? 1 : 4;

/** Starts instances together on a new database. */
async function migratedTogether(
  migration: new () => MigrationInterface,
  look: (one: DataSource) => Promise<void>,
): Promise<void> {
  const { storage, drop } = await makeTestStorage();
  const started = await Promise.all(
    Array.from({ length: instances }, async () => {
      const dataSource = await createDataSource(storage, schemaWith(migration)).initialize();
      await migrate(dataSource, storage);
      return dataSource;
    }),
  );
  if (started[0]) await look(started[0]);
  await Promise.all(started.map((dataSource) => dataSource.destroy()));
  await drop();
}

/** Opens one instance without migrating it. */
async function opened(
  migration: new () => MigrationInterface,
  timeouts: Parameters<typeof createDataSource>[2],
) {
  const { storage, drop } = await makeTestStorage();
  const dataSource = await createDataSource(storage, schemaWith(migration), timeouts).initialize();
  const close = async (): Promise<void> => {
    await dataSource.destroy();
    await drop();
  };
  return { storage, dataSource, close };
}

it(`migrations run once when ${instances} start together`, () =>
  migratedTogether(Slow4102444800000, async (one) => {
    expect(await one.query('SELECT id FROM only_once')).toEqual([{ id: 1 }]);
    expect(
      await one.query("SELECT 1 AS x FROM service_migrations WHERE name LIKE 'Slow%'"),
    ).toHaveLength(1);
  }));

it('a migration that the database refuses is named, with the statement', async () => {
  const { storage, dataSource, close } = await opened(Refused4102445000000, undefined);
  await expect(migrate(dataSource, storage)).rejects.toMatchObject({
    name: 'StartupError',
    message:
      'The database refused the migration Refused4102445000000: column "name" of relation "service_roles" already exists (42701). Fix it, or the rows on which it fails. The statement: ALTER TABLE service_roles ADD "name" text',
  });
  await close();
});

it('a migration that the database refuses for stored rows says which', async () => {
  const { storage, dataSource, close } = await opened(Repeated4102445000000, undefined);
  await expect(migrate(dataSource, storage)).rejects.toMatchObject({
    message:
      'The database refused the migration Repeated4102445000000: could not create unique index "twins_name" (23505). Key (name)=(Ann) is duplicated. Fix it, or the rows on which it fails. The statement: CREATE UNIQUE INDEX twins_name ON twins (name)',
  });
  await close();
});

if (onPostgres() !== undefined) {
  it('the lock belongs to the transaction that migrates, and no timeout applies to it', async () => {
    const { storage, dataSource, close } = await opened(Locked4102444900000, {
      statement: 1_000,
      lock: 1_000,
    });
    await migrate(dataSource, storage);
    expect(await dataSource.query('SELECT * FROM noted')).toEqual([
      { own: true, statement: '0', lock: '0' },
    ]);
    await close();
  });

  it('a migration outside of a transaction may take longer than the server lets transactions be idle', async () => {
    const { storage, drop } = await makeTestStorage();
    if (storage.kind !== 'postgres') throw new Error('The embedded server has no time-outs');
    const url = `${storage.url}?options=-c%20idle_in_transaction_session_timeout%3D100ms`;
    const dataSource = createDataSource(
      { kind: 'postgres', url },
      schemaWith(SlowApart4102445000000),
    );
    await dataSource.initialize();
    expect(await migrate(dataSource, storage)).toContain(SlowApart4102445000000.name);
    await dataSource.destroy();
    await drop();
  });

  it('a migration that fails outside of a transaction leaves the connections of the pool unchanged', async () => {
    const { storage, dataSource, close } = await opened(FailsApart4102445000000, {
      statement: 60_000,
      lock: 50_000,
    });
    const TIMEOUTS = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`;
    const before: unknown = await dataSource.query(TIMEOUTS);
    await expect(migrate(dataSource, storage)).rejects.toThrow('division by zero');
    // All open at once, so that each has its own connection.
    const runners = Array.from({ length: 3 }, () => dataSource.createQueryRunner());
    for (const runner of runners) expect(await runner.query(TIMEOUTS)).toEqual(before);
    for (const runner of runners) await runner.release();
    await close();
  });
}

it(`a migration that cannot run in a transaction runs once when ${instances} start together`, () =>
  migratedTogether(Apart4102445000000, async (one) => {
    expect(
      await one.query(`SELECT indexname FROM pg_indexes WHERE indexname = 'ix_apart'`),
    ).toHaveLength(1);
  }));

it('a migration that another process has just reverted is not reverted again', () =>
  migratedTogether(Slow4102444800000, async (one) => {
    const isMeant = (name: string): boolean => name === Slow4102444800000.name;
    const ask = one.query.bind(one);
    const asked = jest.spyOn(one, 'query');
    asked.mockImplementation(async (sql, ...values) => {
      const answer: unknown = await ask(sql, ...values);
      if (!sql.startsWith('SELECT name FROM')) return answer;
      asked.mockRestore();
      expect(await revertLast(one, isMeant)).toBe(Slow4102444800000.name);
      return answer;
    });
    await expect(revertLast(one, isMeant)).rejects.toThrow('Another process is migrating');
    expect(await revertLast(one, isMeant)).toBeUndefined();
  }));

it('migrations can be reverted, down to the first', async () => {
  const { storage, drop } = await makeTestStorage();
  const dataSource = await createDataSource(storage, schema).initialize();
  await migrate(dataSource, storage);
  for (let left = schema.migrations.length; left > 0; left -= 1) {
    await dataSource.undoLastMigration();
  }
  const tables = await dataSource.query<{ name: string }[]>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  expect(tables.map(({ name }) => name)).toEqual(['service_migrations']);
  await dataSource.destroy();
  await drop();
});

it('migrations lead to the entities of all modules, as the command line knows them', async () => {
  const { storage, drop } = await makeTestStorage();
  const config = new AppConfig({ SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX' });
  const dataSource = await createDataSource(storage, await schemaOfApp(config)).initialize();
  expect(dataSource.entityMetadatas.length).toBeGreaterThan(5);
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
  await dataSource.destroy();
  await drop();
});

it('a module brings its part even if it needs a provider that only its application has', async () => {
  class Tables4102445000000 extends Slow4102444800000 {}
  const config = new AppConfig({ SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX' });
  const needy = { provide: 'needy', inject: ['of the application'], useFactory: () => 1 };
  const { migrations: found } = await schemaOfApp(config, [
    {
      module: class Needy {},
      providers: [needy, provideSchema({ migrations: [Tables4102445000000] })],
    },
  ]);
  expect(found.at(-1)).toBe(Tables4102445000000);
});
