import { Client } from 'pg';
import {
  describeOnPostgres,
  type LastingStorage,
  makeLastingStorage,
  runProgram,
  startTestApp,
} from '../support';

/** The embedded database has one connection: there, nothing waits for anything else. */
describeOnPostgres('A revert that takes long', () => {
  let database: LastingStorage;
  let other: Client;

  beforeAll(async () => {
    database = await makeLastingStorage();
    await (await startTestApp({ storage: database.storage })).close();
    other = new Client(database.env.DATABASE_URL);
    await other.connect();
  });

  afterAll(async () => {
    await other?.end();
    await database?.drop();
  });

  it('names the migration, and where to look if it waits for a lock', async () => {
    await other.query('BEGIN');
    await other.query('SELECT FROM service_users');
    const program = runProgram('src/cli.ts', database.env, 'migration:revert', '--service');
    await program.prints(
      /The migration \w+\d+ is still being reverted. Where it waits .* pg_blocking_pids\(\)/,
    );
    await other.query('COMMIT');
    await program.prints(/Reverted \w+\d+/);
    expect(await program.ends()).toBe(0);
  });
});
