import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const read = (file: string): string => readFileSync(join(__dirname, '../..', file), 'utf8');

/** The names that a file exports; both entries of the package list them one by one. */
function exportsOf(file: string): string[] {
  const found: string[] = [];
  const { statements } = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  for (const statement of statements) {
    if (ts.isImportDeclaration(statement)) continue;
    if (!ts.isExportDeclaration(statement)) throw new Error(`${file} has more than exports`);
    const { exportClause } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause)) throw new Error(`${file} exports all`);
    found.push(...exportClause.elements.map(({ name }) => name.text));
  }
  return found;
}

/** The names in the first column of the tables. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );

const [, reference = ''] = read('EXTENDING.md').split('## What `doorward` exports');
const [main = '', testing = ''] = reference.split('And `doorward/testing`:');

describe('EXTENDING.md', () => {
  it.each([
    ['doorward', 'src/kit.ts', main],
    ['doorward/testing', 'src/testing/index.ts', testing],
  ])('lists each export of %s once, and nothing else', (_, file, text) => {
    expect(namesIn(text).toSorted()).toEqual(exportsOf(file).toSorted());
  });
});
