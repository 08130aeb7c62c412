import { Pool } from 'pg';
import { Database } from '../../src/database/database';
import { EmbeddedServer } from '../../src/database/embedded/embedded-server';
import { WireStream } from '../../src/database/embedded/wire-stream';

/**
 * Behind a transaction pooler two instances take turns on the same sessions of the server, and one connection of an
 * instance uses now one session, now another. The embedded server has one session for all its connections, and resets
 * it whenever another connection begins: to the earlier connections it looks like another session.
 */
let server: EmbeddedServer;
const pools: Pool[] = [];

beforeAll(async () => {
  server = new EmbeddedServer({ kind: 'memory' });
  await server.open();
});

afterAll(async () => {
  for (const pool of pools) await pool.end();
  await server.close();
});

async function instance(): Promise<Database> {
  const pool = new Pool({
    ...{ user: 'postgres', database: 'postgres', max: 1, idleTimeoutMillis: 0 },
    stream: () => new WireStream(server),
  });
  pools.push(pool);
  const database = new Database(pool);
  await database.query('SELECT 1');
  return database;
}

const PUBLIC = `SELECT 'a tag' AS name`;
const SECRET = `SELECT 'a password' AS name`;

async function often(database: Database, text: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let time = 0; time < 5; time += 1) found.push(...(await database.query(text)));
  return found;
}

describe('31: of two instances on one session', () => {
  it('neither gets the answer to a statement that the other prepared', async () => {
    const one = await instance();
    await often(one, PUBLIC);
    const other = await instance();
    await often(other, SECRET);
    expect(await often(one, PUBLIC)).toEqual(Array(5).fill({ name: 'a tag' }));
    expect(await often(other, SECRET)).toEqual(Array(5).fill({ name: 'a password' }));
  });

  it('both may prepare the same statement, also in a transaction', async () => {
    const one = await instance();
    const other = await instance();
    for (const database of [one, other]) await often(database, PUBLIC);
    await expect(
      other.transaction(async (tx) => [...(await tx.query(PUBLIC)), ...(await tx.query(SECRET))]),
    ).resolves.toEqual([{ name: 'a tag' }, { name: 'a password' }]);
  });
});
