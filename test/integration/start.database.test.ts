import { Client } from 'pg';
import { describeOnPostgres, makeTestStorage, onPostgres, runProgram } from '../support';

const ENV = {
  ...{ HOST: '127.0.0.1', PORT: '0', SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX' },
  ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct-horse-battery' },
};
const ROLE = `doorward_start_${process.pid}`;

/** The embedded database has one role, one encoding and no settings of an operator. */
describeOnPostgres('A start is refused by one sentence', () => {
  let admin: Client;
  const databases: string[] = [];
  const undo: (() => Promise<void>)[] = [];

  const urlOf = (database: string, user?: string): string => {
    const url = new URL(onPostgres() ?? '');
    url.pathname = `/${database}`;
    if (user !== undefined) url.username = user;
    return url.href;
  };

  const create = async (options: string): Promise<string> => {
    const name = `doorward_start_${process.pid}_${databases.length}`;
    await admin.query(`CREATE DATABASE ${name} ${options}`);
    databases.push(name);
    return name;
  };

  const refused = async (DATABASE_URL: string): Promise<string> => {
    const program = runProgram('src/main.ts', { ...ENV, DATABASE_URL });
    expect(await program.ends()).toBe(1);
    expect(program.output().trim().split('\n')).toHaveLength(1);
    return program.output().trim();
  };

  beforeAll(async () => {
    admin = new Client(onPostgres());
    await admin.connect();
    await admin.query(`CREATE ROLE ${ROLE} LOGIN`);
  });

  afterAll(async () => {
    for (const name of databases) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    for (const each of undo) await each();
    await admin.query(`DROP ROLE ${ROLE}`);
    await admin.end();
  });

  it.each(['LATIN1', 'SQL_ASCII'])('on a database with the encoding %s', async (encoding) => {
    const name = await create(`ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
    expect(await refused(urlOf(name))).toBe(
      `The database has the encoding ${encoding}, and the service needs UTF8. Use another database: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
  });

  it('where no trigger runs', async () => {
    const { storage, drop } = await makeTestStorage();
    undo.push(drop);
    const url = new URL('url' in storage ? storage.url : '');
    url.searchParams.set('options', '-c session_replication_role=replica');
    expect(await refused(url.href)).toMatch(
      /^The database sessions have session_replication_role = replica: no trigger runs .* RESET session_replication_role/,
    );
  });

  it('where a database that needs no migration takes no writes', async () => {
    const { storage, drop } = await makeTestStorage();
    undo.push(drop);
    const url = new URL('url' in storage ? storage.url : '');
    const program = runProgram('src/main.ts', { ...ENV, DATABASE_URL: url.href });
    await program.prints(/Doorward listens/);
    program.child.kill();
    await program.ends();
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    expect(await refused(url.href)).toMatch(/^The database takes no writes: .* primary server/);
  });

  it('where another role has restored the tables', async () => {
    const { storage, drop } = await makeTestStorage();
    undo.push(drop);
    const name = new URL('url' in storage ? storage.url : '').pathname.slice(1);
    await admin.query(`ALTER DATABASE ${name} OWNER TO ${ROLE}`);
    const url = urlOf(name, ROLE);
    expect(await refused(url)).toMatch(
      /^The table service_migrations belongs to the role \S+, and the role in DATABASE_URL may not read it. Restore a backup as the role in DATABASE_URL/,
    );
    const owner = new Client(urlOf(name));
    await owner.connect();
    await owner.query(`GRANT SELECT ON service_migrations TO ${ROLE}`);
    await owner.end();
    expect(await refused(url)).toMatch(/must own the database and the tables in it.*42501/);
  });
});
