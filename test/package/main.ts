import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clone } from './clone';
import { Consumer } from './consumer';
import { useService } from './use-service';
import { walkExtending } from './walk-extending';

/*
 * Packs the package, installs it into an empty folder outside the tree, beside an application of one module, and uses it
 * there as a team would; then walks through EXTENDING.md in a copy of the tree. With the word `git` what is installed is the last commit of this repository.
 */
const ROOT = join(__dirname, '../..');
const BIN = join('node_modules', 'doorward', 'dist', 'src', 'cli.js');
const STEPS: Readonly<Record<string, (app: Consumer) => void | Promise<void>>> = {
  'it compiles, strictly, and no type of ours is missing': (app) => {
    const { output } = app.run('node_modules/typescript/bin/tsc', '-p', '.');
    const ours = output.split('\n').filter((line) => !/^node_modules\/(?!doorward\/)/.test(line));
    assert.deepEqual(
      ours.filter((line) => line.includes('error TS')),
      [],
    );
  },
  'its own test passes with doorward/testing': (app) => {
    const { code, output } = app.run('--test', 'dist/invoicing.tests.js');
    assert.equal(code, 0, output);
    assert.match(output, /pass 3/);
  },
  'it starts, and protects a row on both doors': useService,
  'the command doorward works': (app) => {
    const { code, output } = app.run(BIN, 'access', 'export', 'rules.yaml');
    assert.equal(code, 0, output);
    assert.match(app.read('rules.yaml'), /collection: invoices/);
  },
  'another major of Nest stops every entry with a sentence': (app) => {
    app.pretend('@nestjs/core', '11.1.9');
    const sentence =
      /doorward needs @nestjs\/core \^12[^\n]* finds 11\.1\.9 in [^\n]*: npm install/;
    for (const entry of [['dist/main.js'], ['dist/invoicing.tests.js'], [BIN, 'access', 'diff']]) {
      const { code, output } = app.run(...entry);
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

async function main(): Promise<void> {
  const from = process.argv[2] === 'git' ? 'git' : 'tarball';
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'doorward-package-')));
  const steps = Object.entries(STEPS);
  let passed = 0;
  try {
    const app = new Consumer(join(folder, 'app'), join(__dirname, 'app'));
    app.install(from === 'git' ? `git+file://${ROOT}` : packed(folder));
    for (const [name, step] of steps) {
      await step(app);
      passed += 1;
      console.log(`  ✓ from ${from}: ${name}`);
    }
    await walkExtending(new Clone(join(folder, 'clone'), ROOT));
    passed += 1;
    console.log('  ✓ in a clone: what EXTENDING.md says');
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${passed} passed, ${steps.length + 1 - passed} failed`);
}

void main();
