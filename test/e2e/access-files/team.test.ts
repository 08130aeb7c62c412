import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SampleModule } from '../../sample-extension/sample.module';
import {
  as,
  type LastingStorage,
  makeLastingStorage,
  runProgram,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestClient,
} from '../../support';

/** Several commands on a busy machine. */
jest.setTimeout(900_000);

const PLAIN = 'src/cli.ts';
const TEAM = 'test/sample-extension/access.ts';
const SECRET = 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX';
let folder: string;
let own: LastingStorage;

async function access(
  program: string,
  ...args: string[]
): Promise<[code: unknown, output: string]> {
  const run = runProgram(program, { SECRET, ...own.env }, 'access', ...args);
  return [await run.ends(), run.output()];
}

/** Starts the sample, does something with it, and stops it. */
async function whileRunning(work: (admin: TestClient) => Promise<void>): Promise<void> {
  const test = await startTestApp({ imports: [SampleModule], storage: own.storage });
  await work(as(test, (await signIn(test, TEST_ADMIN)).access_token));
  await test.close();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doorward-team-'));
  own = await makeLastingStorage();
});

afterAll(async () => {
  await own.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('rules on the collections of a team are handled by its own program, and left alone by a program without these collections', async () => {
  const rules = join(folder, 'rules.yaml');
  await whileRunning(async (admin) => {
    const { data } = await admin.post('/policies', { name: 'Reading' });
    const rule = { policy: data['id'], collection: 'articles', action: 'read', fields: ['title'] };
    expect((await admin.post('/permissions', rule)).status).toBe(200);
  });
  expect(await access(TEAM, 'export', rules)).toEqual([0, '']);
  const exported = readFileSync(rules, 'utf8');
  expect(exported).toContain('collection: articles');
  // Rules on collections that are not loaded here are neither checked nor put to sleep.
  expect((await access(PLAIN, 'apply', rules, '--yes', '--prune'))[0]).toBe(0);
  writeFileSync(rules, exported.replace('fields: [title]', 'fields: [status, title]'));
  expect(await access(PLAIN, 'apply', rules, '--yes')).toEqual([
    1,
    expect.stringContaining('names the collection "articles", which does not exist'),
  ]);
  expect((await access(TEAM, 'apply', rules, '--yes'))[0]).toBe(0);
  await whileRunning(async (admin) => {
    expect((await admin.get('/permissions?fields=collection,fields,asleep')).data).toEqual([
      { collection: 'articles', fields: ['status', 'title'], asleep: false },
    ]);
  });
});
