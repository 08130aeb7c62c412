import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');
/** Migrations, and code that runs with them before the application: they may name all tables. */
const MIGRATING = /^src\/database\/(migrations\/|marks\/forget-vanished\.ts$)/;
const SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|JOIN)\b/;

const folderOf = (file: string): string => file.split('/')[1] ?? '';

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => /^src\/.+\/.+\.ts$/.test(file) && !/\.(spec|spec-support)\.ts$/.test(file))
  .map((file) => ({ file, folder: folderOf(file), text: readFileSync(join(ROOT, file), 'utf8') }));

/** The owner of each table: the folder that declares its entity. */
const owners = new Map(
  sources.flatMap(({ folder, text }) =>
    [...text.matchAll(/^@(?:Collection|Entity)\('(\w+)'/gm)].map(
      ([, table = '']) => [table, folder] as const,
    ),
  ),
);

const importsOf = ({ file, text }: (typeof sources)[number]): string[] =>
  ts
    .preProcessFile(text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => folderOf(join(file, '..', fileName)));

/** The folders that each imports. */
const imported = new Map<string, ReadonlySet<string>>();
for (const source of sources) {
  imported.set(
    source.folder,
    new Set([...(imported.get(source.folder) ?? []), ...importsOf(source)]),
  );
}

/** A folder, the folders that it imports, and those that these import. */
function reachOf(folder: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(folder)) return known;
  known.add(folder);
  for (const each of imported.get(folder) ?? []) reachOf(each, known);
  return known;
}

/** The texts of a program without comments; of a template the parts between its values. */
function textsOf(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node)) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

/** The tables that SQL in a program names. */
const tablesIn = (text: string): string[] =>
  textsOf(text)
    .filter((each) => SQL.test(each))
    .flatMap((each) => each.match(/\bservice_\w+/g) ?? []);

/** `file: table` for each table in SQL whose feature the file's own feature does not import. */
const strangers = sources
  .filter(({ file }) => !MIGRATING.test(file))
  .flatMap(({ file, folder, text }) =>
    tablesIn(text)
      .filter((table) => !reachOf(folder).has(owners.get(table) ?? 'nobody'))
      .map((table) => `${file}: ${table}`),
  );

describe('SQL in the source', () => {
  it('names only tables of its own feature or of one that it imports', () => {
    expect(strangers).toEqual([]);
  });

  it('is found by this test wherever it is written', () => {
    const named = new Set(sources.flatMap(({ text }) => tablesIn(text)));
    expect([...named].toSorted()).toEqual(expect.arrayContaining(OFTEN_NAMED));
    expect(owners.size).toBeGreaterThanOrEqual(OFTEN_NAMED.length);
  });
});

const OFTEN_NAMED = ['service_access', 'service_marks', 'service_permissions', 'service_users'];
