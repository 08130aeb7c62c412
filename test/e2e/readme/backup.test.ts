import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { readDocument } from '../../docs/documents';
import {
  as,
  makeTestStorage,
  type Program,
  runProgram,
  signIn,
  TEST_ADMIN,
  type TestStorage,
} from '../../support';
import { runShell } from './run-shell';

/** Two starts on a busy machine. */
const TEST_TIMEOUT_MS = 180_000;
const RULE = {
  ...{ collection: 'service_users', action: 'read', fields: ['email'] },
  permissions: { id: { _eq: '$CURRENT_USER' } },
};
const RULES = '/permissions?fields=id,collection,action,fields,permissions,asleep,policy.name';

/** The commands that stand after a mark, `backup: postgres` for one. */
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

/** An empty database, as one is made to restore into. */
async function empty({ storage }: TestStorage): Promise<string> {
  if (storage.kind !== 'postgres') throw new Error('There is none to be emptied');
  const client = new Client({ connectionString: storage.url });
  await client.connect();
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await client.end();
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

it(
  'the documented backup restores rules, accounts and sessions',
  async () => {
    const [{ storage }, other] = databases as [TestStorage, TestStorage];
    const [kind, DATA_DIR] = [
      storage.kind === 'postgres' ? 'postgres' : 'embedded',
      `${place}/data`,
    ];
    const env: Record<string, string> = {
      DATA_DIR,
      ...(storage.kind === 'postgres' && { DATABASE_URL: storage.url }),
    };
    const run = (mark: string): Promise<string[]> =>
      runShell([`cd ${place}`, commandsAt(`${mark}: ${kind}`)], env, '');

    const before = await start(env);
    const { access_token } = await signIn(before, TEST_ADMIN);
    const admin = as(before, access_token);
    expect((await admin.post('/permissions', { ...RULE, policy: { name: 'Own' } })).status).toBe(
      200,
    );
    const rules = (await admin.get(RULES)).data;
    expect(rules).toEqual([{ id: 1, asleep: false, ...RULE, policy: { name: 'Own' } }]);
    // PostgreSQL is backed up while the service runs.
    if (kind === 'embedded') await before.stop();
    await run('backup');
    if (kind === 'postgres') await before.stop();

    if (kind === 'postgres') env['DATABASE_URL'] = await empty(other);
    else rmSync(DATA_DIR, { recursive: true });
    await run('restore');
    const after = await start(env);
    const same = as(after, access_token);
    expect((await same.get(RULES)).data).toEqual(rules);
    expect((await signIn(after, TEST_ADMIN)).access_token).not.toBe(access_token);
    await after.stop();
  },
  TEST_TIMEOUT_MS,
);
