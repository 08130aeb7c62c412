import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  as,
  makeTestStorage,
  type Program,
  runProgram,
  signIn,
  type TestStorage,
} from '../../support';
import { DOCUMENTS, readDocument } from '../../docs/documents';
import { runShell } from '../readme/run-shell';
import { Answers, readSessions } from '../readme/session';

const ROOT = join(__dirname, '../../..');
/** A first start on a busy machine. */
const TEST_TIMEOUT_MS = 90_000;
const README = readDocument('README.md');
const TEXT = DOCUMENTS.map(readDocument).join('\n');
const SECTION =
  /<!-- own collections -->\n([\s\S]*)<!-- end of own collections -->/.exec(README)?.[1] ?? '';
const FILES = [...TEXT.matchAll(/^<!-- file: (\S+) -->\n\n```(?:ts|json)\n([\s\S]*?)^```$/gm)];
const ADMIN = { email: 'admin@example.com', password: 'correct-horse-battery' };

/** What the first session of the README has already set. */
const PREFACE = `JSON='Content-Type: application/json'
value() { node -p "JSON.parse(require('fs').readFileSync(0)).data.$1"; }`;

describe('«Your own collections» in the README', () => {
  let dataDir: string;
  let database: TestStorage;
  let program: Program;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'doorward-readme-'));
    database = await makeTestStorage();
    const { storage } = database;
    program = runProgram('test/sample-extension/main.ts', {
      ...{ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' },
      ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
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

  it.each(FILES.map(([, file = '', code = '']) => ({ file, code })))(
    'shows $file as it is',
    ({ file, code }) => {
      expect(code).toBe(readFileSync(join(ROOT, file), 'utf8'));
    },
  );

  it('shows an entity, the line that registers it, and an endpoint', () => {
    expect(FILES.length).toBeGreaterThanOrEqual(4);
    expect(SECTION).toContain('CollectionsModule.forFeature([');
    expect(SECTION).toContain("@RequirePermission('update', 'articles')");
  });

  it(
    'shows the answers of the sample',
    async () => {
      const [, url = ''] = await program.prints(/listens on (\S+)/);
      const { access_token } = await signIn({ url }, ADMIN);
      expect((await as({ url }, access_token).get('/items/site')).status).toBe(200);
      const steps = readSessions(SECTION.replaceAll('sample session', 'session')).flat();
      expect(steps.length).toBeGreaterThan(3);
      const blocks = [PREFACE, ...steps.map(({ commands }) => commands)];
      const [, ...printed] = await runShell(blocks, { URL: url, ADMIN: access_token }, '');
      const [written, real] = [new Answers(), new Answers()];
      for (const [index, { commands, answer }] of steps.entries()) {
        const now = { commands, answer: real.normalise(printed[index] ?? '') };
        expect(now).toEqual({ commands, answer: written.normalise(answer) });
      }
    },
    TEST_TIMEOUT_MS,
  );
});
