import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { files } from '../../../package.json';
import * as catalogue from '../../../src/common/errors/catalogue';
import { OPERATORS } from '../../../src/engine/filter/operators';
import { ACTIONS } from '../../../src/engine/rules/rule';
import { DOCUMENTS, readDocument } from '../../docs/documents';
import { settingsTable } from '../../docs/settings-table';
import { makeTestStorage, type Program, runProgram, type TestStorage } from '../../support';
import { runShell } from './run-shell';
import { Answers, readSessions, type Step } from './session';

/** A first start on a busy machine, and some thirty commands. */
const TEST_TIMEOUT_MS = 90_000;
const ROOT = join(__dirname, '../../..');
const README = readDocument('README.md');
const sessions = readSessions(README);

/** The operations that the GraphQL session must show. */
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

/** The rows of a table, without blanks and separator lines. */
const cellsOf = (table: string): string[] =>
  table
    .split('\n')
    .map((row) => row.replaceAll(/\s*\|\s*/g, '|').trim())
    .filter((row) => row !== '' && !/^[|-]+$/.test(row));

/** The anchors that GitHub generates for the titles. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

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
  }, TEST_TIMEOUT_MS);

  afterAll(async () => {
    program.child.kill('SIGTERM');
    await program.ends();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it(
    'run unchanged, and print what is shown',
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
    TEST_TIMEOUT_MS,
  );
});

describe('the README', () => {
  it('has a session over REST and over GraphQL, the latter with every operation', () => {
    expect(sessions).toHaveLength(2);
    const [rest = '', graphql = ''] = sessions.map(commandsOf);
    expect(rest).toContain('curl -s $URL/permissions/me');
    const missing = OPERATIONS.filter((name) => !new RegExp(`\\b${name}\\b`).test(graphql));
    expect(missing).toEqual([]);
  });
});

describe('the documents', () => {
  it('list every setting, as the configuration reads it (npm run docs:settings)', () => {
    const [, table = ''] =
      /<!-- settings -->\n([\s\S]*)<!-- end of settings -->/.exec(
        readDocument('docs/configuration.md'),
      ) ?? [];
    expect(cellsOf(table)).toEqual(cellsOf(settingsTable()));
    expect(cellsOf(table).length).toBeGreaterThan(40);
  });

  it.each([...DOCUMENTS, 'CONTRIBUTING.md', 'EXTENDING.md', 'SECURITY.md', 'CHANGELOG.md'])(
    '%s links only to existing targets',
    (path) => {
      const links = [...readDocument(path).matchAll(/\]\((?!https?:)([^)]+)\)/g)];
      for (const [, link = ''] of links) {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : join(dirname(path), file);
        expect([link, existsSync(join(ROOT, target))]).toEqual([link, true]);
        if (anchor !== undefined) expect(anchorsOf(readDocument(target))).toContain(anchor);
      }
    },
  );

  it('are in the package, if README.md links to them', () => {
    const links = README.matchAll(/\]\((?!https?:|#)([^)#]+)/g);
    const targets = [...links].map(([, file = '']) => file);
    const isPackaged = (file: string): boolean =>
      files.some((name) => file === name || file.startsWith(`${name}/`));
    expect(targets).toContain('EXTENDING.md');
    expect(targets.filter((file) => !isPackaged(file))).toEqual([]);
  });

  it('list every operator of filters, and every action', () => {
    const text = readDocument('docs/rules.md');
    const names = [...OPERATORS.keys(), ...ACTIONS];
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('list every error with its status', () => {
    const text = readDocument('docs/interface.md');
    const rows = Object.values(catalogue).map(({ code, status }) => ({ code, status }));
    const listed = ({ code, status }: (typeof rows)[number]): boolean =>
      new RegExp(`\\| \`${code}\` +\\| ${status} `).test(text);
    expect(rows.filter((row) => !listed(row))).toEqual([]);
  });
});
