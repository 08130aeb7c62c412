import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(__dirname, '../..');

export interface Attack {
  readonly number: number;
  /** The files that test it, relative to the root of the repository. */
  readonly files: readonly string[];
}

/** The attacks that `README.md` lists. */
export function listedAttacks(): Attack[] {
  const list = readFileSync(join(__dirname, 'README.md'), 'utf8');
  return [...list.matchAll(/^(\d+)\. (.*)$/gm)].map(([, number, text = '']) => ({
    number: Number(number),
    files: [...text.matchAll(/`((?:test\/|items\/|\d\d-)[\w./-]+)`/g)].map(([, name = '']) =>
      name.startsWith('test/') ? `${name}.test.ts` : `test/security/${name}.test.ts`,
    ),
  }));
}

/** A file that was run, in jest's report. */
export interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

/** The result of one file in one run. `skipped`: the file, or everything in it, was not run. */
type Outcome = 'passed' | 'failed' | 'skipped';

export interface Judgement {
  readonly attack: Attack;
  readonly failed: readonly string[];
  /** Files of which no test ran in any run. */
  readonly skipped: readonly string[];
  /** Some test ran, and all that ran passed. */
  readonly withstood: boolean;
}

/** @param runs files with absolute paths, as jest reports them */
export function judge(attack: Attack, runs: readonly (readonly FileResult[])[]): Judgement {
  const outcomes = attack.files.map((file) => ({
    file,
    in: runs.map((run) =>
      outcomeOf(
        attack.number,
        run.find(({ name }) => relative(ROOT, name) === file),
      ),
    ),
  }));
  const failed = outcomes.filter((each) => each.in.includes('failed')).map(({ file }) => file);
  const skipped = outcomes
    .filter((each) => each.in.every((outcome) => outcome === 'skipped'))
    .map(({ file }) => file);
  const withstood = failed.length === 0 && skipped.length < attack.files.length;
  return { attack, failed, skipped, withstood };
}

/** In a file for several attacks only the tests whose names begin with the number count. */
function outcomeOf(number: number, file: FileResult | undefined): Outcome {
  if (file === undefined) return 'skipped';
  const tests = file.assertionResults;
  const named = tests.filter(({ fullName }) => Number(/^(\d+):/.exec(fullName)?.[1]) === number);
  const own = named.length > 0 ? named : tests;
  const broke = file.status === 'failed' && tests.every(({ status }) => status !== 'failed');
  if (broke || own.some(({ status }) => status === 'failed')) return 'failed';
  return own.some(({ status }) => status === 'passed') ? 'passed' : 'skipped';
}
