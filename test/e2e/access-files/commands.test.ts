import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  as,
  type LastingStorage,
  makeLastingStorage,
  onPostgres,
  type Program,
  runProgram,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestClient,
} from '../../support';

/** Many commands on a busy machine. */
jest.setTimeout(900_000);

const SECRET = 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX';
const server = onPostgres();
let folder: string;
let own: LastingStorage;

interface Ended {
  readonly code: unknown;
  readonly output: string;
}

const command = (...args: string[]): Program =>
  runProgram('src/cli.ts', { SECRET, ...own.env }, ...args);

async function access(...args: string[]): Promise<Ended> {
  const program = command('access', ...args);
  return { code: await program.ends(), output: program.output() };
}

/** Starts the service, does something with it, and stops it. */
async function whileRunning(
  work: (admin: TestClient, url: string) => Promise<void>,
): Promise<void> {
  const test = await startTestApp({ storage: own.storage });
  await work(as(test, (await signIn(test, TEST_ADMIN)).access_token), test.url);
  await test.close();
}

const file = (name: string): string => join(folder, name);
const write = (name: string, text: string): string => {
  writeFileSync(file(name), text);
  return file(name);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doorward-access-'));
  own = await makeLastingStorage();
});

afterAll(async () => {
  await own.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('nothing is applied or created before the first start of the service', async () => {
  // On PostgreSQL, a test's database already has its tables, but no users.
  const env = { SECRET, ...own.env, DATA_DIR: file('data') };
  const rules = write('empty.yaml', 'version: 1\n');
  const program = runProgram('src/cli.ts', env, 'access', 'apply', rules, '--yes');
  expect(await program.ends()).toBe(1);
  expect(program.output()).toMatch(/[Ss]tart the service once/);
  expect(program.output().trim().split('\n')).toHaveLength(1);
  expect(existsSync(file('data'))).toBe(false);
});

it('an unknown command is reported before the usage; --help prints the usage to standard output', async () => {
  const bogus = command('bogus');
  bogus.child.stdout?.destroy();
  expect(await bogus.ends()).toBe(1);
  expect(bogus.output()).toMatch(/^There is no command bogus\.\nUsage:\n/);
  const help = command('--help');
  help.child.stderr?.destroy();
  expect([await help.ends(), help.output()]).toEqual([0, expect.stringMatching(/^Usage:\n/)]);
});

it('an option of another command prints the usage', async () => {
  const { code, output } = await access('diff', 'a', '--yes');
  expect([code, output]).toEqual([1, expect.stringContaining('doorward access apply FILE --yes')]);
  expect(output).not.toMatch(/\n\s+at /);
});

it('diff --prune reports manual changes with exit code 2, and apply --prune reverts them', async () => {
  const rules = file('rules.yaml');
  await whileRunning(async (admin) => {
    await admin.post('/policies', { name: 'Editing' });
  });
  expect(await access('export', rules)).toEqual({ code: 0, output: '' });
  const exported = readFileSync(rules, 'utf8');
  await whileRunning(async (admin) => {
    await admin.post('/roles', { name: 'By hand' });
  });
  expect((await access('diff', rules)).code).toBe(0);
  const drift = await access('diff', rules, '--prune');
  expect([drift.code, drift.output]).toEqual([2, expect.stringMatching(/^- role by-hand\n/)]);
  expect((await access('apply', rules, '--yes', '--prune')).code).toBe(0);
  expect(await access('export', rules)).toEqual({ code: 0, output: '' });
  expect(readFileSync(rules, 'utf8')).toBe(exported);
});

it('a module may have routes and operations that only the application of a team guards and serves', async () => {
  const rules = file('hosted.yaml');
  const env = { SECRET, ...own.env };
  const program = runProgram(
    'test/e2e/access-files/host-modules.ts',
    env,
    'access',
    'export',
    rules,
  );
  expect([await program.ends(), program.output()]).toEqual([0, '']);
});

it('apply succeeds with exit code 0, even if nobody reads its output', async () => {
  const rules = write('unread.yaml', 'version: 1\nroles: {unread: {name: Unread}}\n');
  const program = command('access', 'apply', rules, '--yes');
  program.child.stdout?.destroy();
  expect([await program.ends(), program.output()]).toEqual([0, '']);
  expect((await access('diff', rules)).output).not.toContain('unread');
});

const MINUTE = 60_000;

it(
  'a command does not wait for SHUTDOWN_DELAY before it ends, since it serves no requests',
  async () => {
    const waiting = { SECRET, ...own.env, SHUTDOWN_DELAY: '1m' };
    const program = runProgram('src/cli.ts', waiting, 'access', 'export', file('all.yaml'));
    expect(await program.ends()).toBe(0);
  },
  MINUTE,
);

it('an error in a file is reported with its line, without a stack trace', async () => {
  const wrong = write('wrong.yaml', 'version: 1\nroles:\n  a: {name: A, color: red}\n');
  expect(await access('apply', wrong, '--yes')).toEqual({
    code: 1,
    output: `${wrong}:3:16 "color" is not known here; known are name, icon, description, parent, policies\n`,
  });
});

if (server === undefined) {
  it('a command is refused with the reason if a running service uses the embedded database', async () => {
    await whileRunning(async () => {
      const { code, output } = await access('diff', write('rules.yaml', 'version: 1\n'));
      expect([code, output]).toEqual([1, expect.stringMatching(/is in use by process \d+ on /)]);
      expect(output.trim().split('\n')).toHaveLength(1);
    });
  });
} else {
  it('changes take effect in a running service', async () => {
    await whileRunning(async (_, url) => {
      const open = write(
        'open.yaml',
        'version: 1\npolicies:\n  public:\n    name: Public\n    permissions: [{collection: service_roles, action: read, fields: [name]}]\neveryone: [public]\n',
      );
      expect((await as({ url }).get('/roles')).status).toBe(403);
      expect((await access('apply', open, '--yes')).code).toBe(0);
      expect((await as({ url }).get('/roles')).status).toBe(200);
    });
  });

  it('a database with missing migrations is refused and not changed', async () => {
    const client = new Client({ connectionString: own.env.DATABASE_URL });
    await client.connect();
    const last = `DELETE FROM service_migrations WHERE name = (SELECT max(name) FROM service_migrations WHERE name LIKE 'AccessKeys%') RETURNING name`;
    const { rows } = await client.query(last);
    expect(rows).toHaveLength(1);
    const { code, output } = await access('export', file('behind.yaml'));
    expect([code, output]).toEqual([1, expect.stringMatching(/^The database is not up to date/)]);
    expect((await client.query(last)).rows).toEqual([]);
    await client.end();
  });
}
