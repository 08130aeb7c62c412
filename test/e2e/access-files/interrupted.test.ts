import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Tx } from '../../../src/database/database';
import {
  countLockWaits,
  describeOnPostgres,
  type LastingStorage,
  makeLastingStorage,
  type Program,
  runProgram,
  startTestApp,
  type TestApp,
} from '../../support';

jest.setTimeout(300_000);

const SECRET = 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX';
const FILE = `version: 1
roles: {a: {name: A, policies: [p]}}
policies: {p: {name: P, permissions: [{collection: service_users, action: read, fields: [email]}]}}
`;

let folder: string;
let own: LastingStorage;
let app: TestApp;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doorward-access-'));
  writeFileSync(join(folder, 'rules.yaml'), FILE);
  own = await makeLastingStorage();
  app = await startTestApp({ storage: own.storage });
  for (const statement of WAIT_HALF_WAY.split(/;\n(?= {2}CREATE TRIGGER)/))
    await app.database.query(statement);
});

afterAll(async () => {
  await app.close();
  await own.drop();
  rmSync(folder, { recursive: true, force: true });
});

const apply = (): Program =>
  runProgram(
    'src/cli.ts',
    { SECRET, ...own.env },
    'access',
    'apply',
    join(folder, 'rules.yaml'),
    '--yes',
  );

async function applied(): Promise<unknown> {
  const [row] = await app.database.query(`SELECT
    (SELECT count(*)::int4 FROM service_roles WHERE key = 'a') AS roles,
    (SELECT count(*)::int4 FROM service_policies WHERE key = 'p') AS policies,
    (SELECT count(*)::int4 FROM service_permissions) AS rules`);
  return row;
}

const HALF_WAY = 4_711;
/** Rules are written after roles and policies; each waits for a lock that the test holds. */
const WAIT_HALF_WAY = `
  CREATE FUNCTION wait_half_way() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(${HALF_WAY}); RETURN NEW; END $$;
  CREATE TRIGGER wait_half_way BEFORE INSERT ON service_permissions
    FOR EACH ROW EXECUTE FUNCTION wait_half_way()`;

/** Begins to apply the file, and does something when it is half applied. */
async function whileApplying(act: (program: Program, tx: Tx) => Promise<void>): Promise<Program> {
  return app.database.transaction(async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(${HALF_WAY})`);
    const program = apply();
    while ((await countLockWaits(app.database)) < 1) await wait(20);
    await act(program, tx);
    return program;
  });
}

// The embedded database is open in one process only.
describeOnPostgres('a file that is being applied', () => {
  const NOTHING = { roles: 0, policies: 0, rules: 0 };

  it('leaves nothing behind if its process is killed', async () => {
    const program = await whileApplying(async ({ child, ends }) => {
      child.kill('SIGKILL');
      await ends();
    });
    expect(await program.ends()).toBe('SIGKILL');
    while ((await countLockWaits(app.database)) > 0) await wait(20);
    expect(await applied()).toEqual(NOTHING);
  });

  it('leaves nothing behind if its connection is cut, and says so', async () => {
    const program = await whileApplying(async ({ ends }, tx) => {
      await tx.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      await ends();
    });
    expect(await program.ends()).toBe(1);
    expect(program.output()).toBe('Service "database" is unavailable.\n');
    expect(await applied()).toEqual(NOTHING);
  });

  it('is applied once by two commands at the same time', async () => {
    const programs = [apply(), apply()];
    expect(await Promise.all(programs.map(({ ends }) => ends()))).toEqual([0, 0]);
    const results = programs.map(({ output }) => output().trim().split('\n').at(-1));
    expect(results).toHaveLength(2);
    expect(results).toContain('Applied: 4 to create, 0 to change, 0 to delete.');
    expect(results).toContain('The database matches the file.');
    expect(await applied()).toEqual({ roles: 1, policies: 1, rules: 1 });
  });
});
