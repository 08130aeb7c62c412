import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneOf } from './clone';
import { Consumer } from './consumer';
import { walkApplication, walkClone } from './homes/in-both-homes';
import { startProduction } from './start-production';
import { useService } from './use-service';
import { walkExtending } from './walk-extending';

/*
 * Packs the package, installs it into an empty folder outside the tree, with an application of one module, and uses it
 * there as a team would; then walks through EXTENDING.md in a copy of the tree. With the word `git` what is installed
 * is the last commit of this repository.
 */
const TOOLS = ['typescript@6.0', '@types/node@20'];
const ROOT = join(__dirname, '../..');
const BIN = join('node_modules', 'doorward', 'dist', 'src', 'cli.js');
const COMPILE = ['node', 'node_modules/typescript/bin/tsc', '-p', '.'] as const;
const STEPS: Readonly<Record<string, (app: Consumer) => void | Promise<void>>> = {
  'it compiles as README.md says': (app) => {
    const { code, output } = app.run(COMPILE);
    assert.equal(code, 0, output);
  },
  'it compiles, strictly, and no type of ours is missing': (app) => {
    const { output } = app.run([...COMPILE, '--skipLibCheck', 'false']);
    const ours = output.split('\n').filter((line) => !/^node_modules\/(?!doorward\/)/.test(line));
    assert.deepEqual(
      ours.filter((line) => line.includes('error TS')),
      [],
    );
  },
  'it compiles with declaration files, as in projects that Nest generates': (app) => {
    const { code, output } = app.run([...COMPILE, '--declaration']);
    assert.equal(code, 0, output);
  },
  'its own test passes with doorward/testing': (app) => {
    const { code, output } = app.run(['node', '--test', 'dist/invoicing.tests.js']);
    assert.equal(code, 0, output);
    assert.match(output, /pass 3/);
  },
  'it starts, and protects a row over REST and GraphQL': useService,
  'the command doorward works': (app) => {
    const { code, output } = app.run(['node', BIN, 'access', 'export', 'rules.yaml']);
    assert.equal(code, 0, output);
    assert.match(app.read('rules.yaml'), /collection: invoices/);
  },
  'seven entities of a team work along with what its application had before': walkApplication,
  'another major of Nest stops every entry with a sentence': (app) => {
    app.pretend('@nestjs/core', '11.1.9');
    const sentence =
      /doorward needs @nestjs\/core \^12[^\n]* finds 11\.1\.9 in [^\n]*: npm install/;
    for (const entry of [['dist/main.js'], ['dist/invoicing.tests.js'], [BIN, 'access', 'diff']]) {
      const { code, output } = app.run(['node', ...entry]);
      assert.notEqual(code, 0);
      assert.match(output, sentence);
      assert.doesNotMatch(output, /^ +at /m);
    }
  },
};

function packed(folder: string): string {
  const options = ['--silent', '--pack-destination', folder];
  const printed = execFileSync('npm', ['pack', ...options], { cwd: ROOT, encoding: 'utf8' });
  return join(folder, printed.trim().split('\n').at(-1) ?? '');
}

const IN_CLONE: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  'seven entities of a team serve from extensions/': (folder) => walkClone(ROOT, folder),
  'what README.md says about production': (folder) => startProduction(cloneOf(ROOT, folder)),
  'what EXTENDING.md says': (folder) => walkExtending(cloneOf(ROOT, folder)),
};

async function main(): Promise<void> {
  const from = process.argv[2] === 'git' ? 'git' : 'tarball';
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'doorward-package-')));
  const steps = Object.entries(STEPS);
  const walks = Object.entries(IN_CLONE);
  let passed = 0;
  const pass = (where: string, name: string): void => {
    passed += 1;
    console.log(`  ✓ ${where}: ${name}`);
  };
  try {
    const app = new Consumer(join(folder, 'app'), join(__dirname, 'app'));
    app.install(from === 'git' ? `git+file://${ROOT}` : packed(folder), ...TOOLS);
    for (const [name, step] of steps) {
      await step(app);
      pass(`from ${from}`, name);
    }
    for (const [index, [name, walk]] of walks.entries()) {
      await walk(join(folder, `clone-${index}`));
      pass('in a clone', name);
    }
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${passed} passed, ${steps.length + walks.length - passed} failed`);
}

void main();
