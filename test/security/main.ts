import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileResult, judge, listedAttacks, ROOT } from './attacks';

/** `npm run test:attacks`: runs all listed files, and prints how many of the attacks were withstood. */
async function main(): Promise<void> {
  const attacks = listedAttacks();
  const files = [...new Set(attacks.flatMap((attack) => attack.files))];
  const { TEST_DATABASE_URL: server, ...embedded } = process.env;
  const runs = [await run(files, embedded)];
  if (server !== undefined && server !== '') runs.push(await run(files, process.env));
  const judged = attacks.map((attack) => judge(attack, runs));
  for (const { attack, failed, skipped } of judged) {
    for (const file of failed) console.log(`${attack.number}: FAILED in ${file}`);
    for (const file of skipped) console.log(`${attack.number}: not tried in ${file}`);
  }
  if (runs.length === 1) console.log('On the embedded database alone: see TEST_DATABASE_URL.');
  const withstood = judged.filter((each) => each.withstood);
  console.log(`${withstood.length} of ${attacks.length}`);
  process.exitCode = withstood.length === attacks.length ? 0 : 1;
}

async function run(files: readonly string[], env: NodeJS.ProcessEnv): Promise<FileResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-attacks-'));
  const output = join(folder, 'results.json');
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const what = ['--json', `--outputFile=${output}`, ...process.argv.slice(2)];
  const child = spawn(
    process.execPath,
    [...jest, 'node_modules/jest/bin/jest.js', ...what, '--runTestsByPath', ...files],
    // The results are read from the file; jest's own report goes to stderr.
    { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(child, 'close');
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as { testResults: FileResult[] };
  rmSync(folder, { recursive: true });
  return testResults;
}

void main();
