import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { readDocument } from '../../docs/documents';
import {
  as,
  makeTestStorage,
  onPostgres,
  type Program,
  runProgram,
  signIn,
  TEST_ADMIN,
  type TestStorage,
  itOnPostgres,
} from '../../support';
import { runShell } from './run-shell';

/** Two starts on a busy machine. */
const TEST_TIMEOUT_MS = 180_000;
const RULE = {
  ...{ collection: 'service_users', action: 'read', fields: ['email'] },
  permissions: { id: { _eq: '$CURRENT_USER' } },
};
const RULES = '/permissions?fields=id,collection,action,fields,permissions,asleep,policy.name';

/** The commands after a mark, such as `backup: postgres`. */
function commandsAt(mark: string): string {
  const text = readDocument('docs/operations.md');
  const [, commands = ''] =
    new RegExp(`<!-- ${mark} -->\\n\\n\`\`\`sh\\n([^]*?)\`\`\``).exec(text) ?? [];
  if (commands === '') throw new Error(`docs/operations.md has no «${mark}»`);
  return commands;
}

interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

async function start(env: Record<string, string>): Promise<Running> {
  const program: Program = runProgram('src/main.ts', {
    ...{ HOST: '127.0.0.1', PORT: '0' },
    ...{ ADMIN_EMAIL: TEST_ADMIN.email, ADMIN_PASSWORD: TEST_ADMIN.password },
    ...env,
  });
  running.push(program);
  const [, url = ''] = await program.prints(/listens on (http:[^\s"]+)/);
  return {
    url,
    stop: async () => {
      program.child.kill('SIGTERM');
      await program.ends();
    },
  };
}

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<object>(sql).finally(() => client.end());
  return rows;
}

/** An empty database to restore into. */
async function empty({ storage }: TestStorage): Promise<string> {
  if (storage.kind !== 'postgres') throw new Error('There is none to be emptied');
  await run(storage.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  return storage.url;
}

let place: string;
let running: Program[] = [];
let databases: TestStorage[];

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'doorward-backup-'));
  databases = [await makeTestStorage(), await makeTestStorage()];
});

afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  running = [];
  for (const { drop } of databases) await drop();
  rmSync(place, { recursive: true, force: true });
});

const KIND = onPostgres() ? 'postgres' : 'embedded';

/** Runs the documented commands. Without `DATA_DIR` they must find the data where a service finds it. */
const runMarked = (mark: string, env: Record<string, string>): Promise<string[]> =>
  runShell([`cd ${place}`, commandsAt(`${mark}: ${KIND}`)], env, '');

/** A backup of other data, which the next one replaces. */
async function backUpOlder(env: Record<string, string>): Promise<void> {
  mkdirSync(`${place}/data`);
  writeFileSync(`${place}/data/older`, '');
  await runMarked('backup', env);
  rmSync(`${place}/data/older`);
}

/** Restores twice: onto a folder with newer data, and onto what the first time restored. */
async function restoreTwice(env: Record<string, string>): Promise<void> {
  writeFileSync(`${place}/data/newer`, '');
  await runMarked('restore', env);
  expect(readdirSync(`${place}/data.replaced`)).toContain('newer');
  await runMarked('restore', {});
  expect(readdirSync(`${place}/data`)).toEqual(readdirSync(`${place}/data.replaced`));
  expect(readdirSync(place).toSorted()).toEqual(['data', 'data.replaced', 'doorward-backup']);
}

/** Nothing listens here: sessions of a pooler would keep the settings of these tools. */
const POOLER = 'postgres://127.0.0.1:1/none';
itOnPostgres('the documented commands bypass a pooler', async () => {
  const [one, other] = databases as [TestStorage, TestStorage];
  const from = await empty(one);
  await run(from, 'CREATE TABLE kept AS SELECT 7 AS id');
  await runMarked('backup', { DATABASE_URL: POOLER, DATABASE_DIRECT_URL: from });
  const to = await empty(other);
  await runMarked('restore', { DATABASE_URL: POOLER, DATABASE_DIRECT_URL: to });
  expect(await run(to, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
});

it(
  'the documented backup restores rules, accounts and sessions, even over existing data',
  async () => {
    const [{ storage }, other] = databases as [TestStorage, TestStorage];
    const env: Record<string, string> = {
      DATA_DIR: `${place}/data`,
      ...(storage.kind === 'postgres' && { DATABASE_URL: storage.url }),
    };
    await backUpOlder(env);
    const before = await start(env);
    const { access_token } = await signIn(before, TEST_ADMIN);
    const admin = as(before, access_token);
    expect((await admin.post('/permissions', { ...RULE, policy: { name: 'Own' } })).status).toBe(
      200,
    );
    const rules = (await admin.get(RULES)).data;
    expect(rules).toEqual([{ id: 1, asleep: false, ...RULE, policy: { name: 'Own' } }]);
    // PostgreSQL is backed up while the service runs.
    if (!onPostgres()) await before.stop();
    const stored = readdirSync(`${place}/data`);
    await runMarked('backup', env);
    if (onPostgres()) {
      await before.stop();
      env['DATABASE_URL'] = await empty(other);
      await runMarked('restore', env);
    } else {
      expect(readdirSync(`${place}/doorward-backup`)).toEqual(stored);
      await restoreTwice(env);
      expect(readdirSync(`${place}/data`)).toEqual(stored);
    }

    const after = await start(env);
    const same = as(after, access_token);
    expect((await same.get(RULES)).data).toEqual(rules);
    expect((await signIn(after, TEST_ADMIN)).access_token).not.toBe(access_token);
    await after.stop();
  },
  TEST_TIMEOUT_MS,
);
