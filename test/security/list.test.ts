import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ATTACKS = 64;
const ROOT = join(__dirname, '../..');

const list = readFileSync(join(__dirname, 'README.md'), 'utf8');
const entries = [...list.matchAll(/^(\d+)\. (.*)$/gm)];
const named = [...list.matchAll(/`((?:test\/|items\/|\d\d-)[\w./-]+)`/g)].map(([, name = '']) =>
  name.startsWith('test/') ? name : `test/security/${name}`,
);

const testsIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => /^\d.*\.test\.ts$/.test(name))
    .map((name) => `${folder}/${name.replace('.test.ts', '')}`);

describe('the list of attacks', () => {
  it('has each number once', () => {
    const numbers = entries.map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: ATTACKS }, (_, index) => index + 1));
  });

  it('names every file that tries one, and no other', () => {
    const files = [...testsIn('test/security'), ...testsIn('test/security/items')];
    expect(files.filter((file) => !named.includes(file))).toEqual([]);
    expect(named.filter((file) => !existsSync(join(ROOT, `${file}.test.ts`)))).toEqual([]);
  });

  it('has a test for each attack on what is there', () => {
    const open = entries.filter(([, , text = '']) => !/: `/.test(text));
    expect(open.filter(([, , text = '']) => !/\blater\b/.test(text))).toEqual([]);
  });
});
