import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FileResult, judge, listedAttacks, ROOT } from './attacks';

const ATTACKS = 64;

const attacks = listedAttacks();
const named = attacks.flatMap(({ files }) => files);

const testsIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => /^\d.*\.test\.ts$/.test(name))
    .map((name) => `${folder}/${name}`);

describe('the list of attacks', () => {
  it('has each number once', () => {
    const numbers = attacks.map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: ATTACKS }, (_, index) => index + 1));
  });

  it('names every file that tests an attack, and no other', () => {
    const files = [...testsIn('test/security'), ...testsIn('test/security/items')];
    expect(files.filter((file) => !named.includes(file))).toEqual([]);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('has a file for each attack', () => {
    expect(attacks.filter(({ files }) => files.length === 0)).toEqual([]);
  });
});

describe('an attack', () => {
  const FILES = ['test/a.test.ts', 'test/b.test.ts'];
  const attack = { number: 7, files: FILES };
  const result = (file: string | undefined, ...tests: readonly [string, string][]): FileResult => ({
    name: join(ROOT, file ?? ''),
    status: tests.some(([status]) => status === 'failed') ? 'failed' : 'passed',
    assertionResults: tests.map(([status, fullName]) => ({ status, fullName })),
  });
  const [a, b] = FILES;
  const good = result(a, ['passed', '7: x'], ['pending', '7: y']);
  const broken: FileResult = { ...result(b), status: 'failed' };

  it.each<[boolean, string, FileResult[][]]>([
    [true, 'all tests that ran passed', [[good, result(b, ['passed', 'x'])]]],
    [true, 'a file needs another database', [[good, result(b, ['pending', '7: x'])]]],
    [true, 'a file ran in another run', [[good], [result(b, ['passed', '7: x'])]]],
    [
      true,
      'only the test of another attack failed',
      [[good, result(b, ['failed', '8: x'], ['passed', '7: x'])]],
    ],
    [false, 'a test failed', [[good, result(b, ['passed', '7: x'], ['failed', '7: y'])]]],
    [false, 'a test failed in another run', [[good], [result(a, ['failed', '7: x'])]]],
    [false, 'a test without a number failed', [[good, result(b, ['failed', 'x'])]]],
    [false, 'a file could not be run', [[good, broken]]],
    [false, 'nothing ran', [[]]],
    [
      false,
      'all tests were skipped',
      [[result(a, ['pending', '7: x']), result(b, ['todo', '7: x'])]],
    ],
    [false, 'only tests of other attacks ran', [[result('test/c.test.ts', ['passed', '7: x'])]]],
  ])('is withstood (%p) where %s', (withstood, _, runs) => {
    expect(judge(attack, runs).withstood).toBe(withstood);
  });
});
