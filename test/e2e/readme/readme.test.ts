import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as catalogue from '../../../src/common/errors/catalogue';
import { AppConfig } from '../../../src/config/app-config';
import { makeTestStorage, type Program, runProgram, type TestStorage } from '../../support';
import { runShell } from './run-shell';
import { Answers, readSessions, type Step } from './session';

/** A first start on a busy machine, and some thirty commands. */
const PATIENCE = 90_000;
const README = readFileSync(join(__dirname, '../../../README.md'), 'utf8');
const sessions = readSessions(README);

/** What the second door must show, by its literal names. */
const OPERATIONS = [
  'permissions',
  'permissions_by_id',
  'create_permissions_items',
  'create_permissions_item',
  'update_permissions_items',
  'update_permissions_item',
  'delete_permissions_items',
  'delete_permissions_item',
  'permissions_me',
  'auth_login',
  'auth_refresh',
  'auth_logout',
];

const commandsOf = (steps: Step[]): string => steps.map(({ commands }) => commands).join('\n');

describe('the sessions of the README', () => {
  let dataDir: string;
  let database: TestStorage;
  let program: Program;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'doorward-readme-'));
    database = await makeTestStorage();
    const { storage } = database;
    const env = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' };
    program = runProgram('src/main.ts', {
      ...env,
      ...(storage.kind === 'postgres' && { DATABASE_URL: storage.url }),
    });
    await program.prints(/listens on/);
  }, PATIENCE);

  afterAll(async () => {
    program.child.kill('SIGTERM');
    await program.ends();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it(
    'run as they stand, and print what they say',
    async () => {
      const [, url = ''] = await program.prints(/listens on (\S+)/);
      const [, password = ''] = await program.prints(/password: (\S+)\n/);
      const steps = sessions.flat();
      const blocks = steps.map(({ commands }) => commands);
      const printed = await runShell(blocks, { URL: url }, `${password}\n`);
      const written = new Answers();
      const real = new Answers();
      for (const [index, { commands, answer }] of steps.entries()) {
        const now = { commands, answer: real.normalise(printed[index] ?? '') };
        expect(now).toEqual({ commands, answer: written.normalise(answer) });
      }
    },
    PATIENCE,
  );
});

describe('the README', () => {
  it('has a session through each door, the second one with every operation', () => {
    expect(sessions).toHaveLength(2);
    const [rest = '', graphql = ''] = sessions.map(commandsOf);
    expect(rest).toContain('curl -s $URL/permissions/me');
    const missing = OPERATIONS.filter((name) => !new RegExp(`\\b${name}\\b`).test(graphql));
    expect(missing).toEqual([]);
  });

  it('lists every variable of the configuration', () => {
    const read = new Set<string>();
    const environment = new Proxy<Record<string, string>>(
      { SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX' },
      { get: (target, name: string) => (read.add(name), target[name]) },
    );
    expect(new AppConfig(environment).port).toBe(3000);
    expect([...read].filter((name) => !README.includes(`| \`${name}\``))).toEqual([]);
  });

  it('lists every error with its status', () => {
    const rows = Object.values(catalogue).map(({ code, status }) => ({ code, status }));
    const listed = ({ code, status }: (typeof rows)[number]): boolean =>
      new RegExp(`\\| \`${code}\` +\\| ${status} `).test(README);
    expect(rows.filter((row) => !listed(row))).toEqual([]);
  });
});
