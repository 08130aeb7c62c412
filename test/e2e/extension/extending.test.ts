import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Field } from 'doorward';
import ts from 'typescript';

const ROOT = join(__dirname, '../../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const EXTENDING = read('EXTENDING.md');
const [WALK = ''] = /<!-- walk -->[\s\S]*<!-- end of walk -->/.exec(EXTENDING) ?? [];
/** Parts of files that tests run. */
const SHOWN = [...EXTENDING.matchAll(/^<!-- from: (\S+) -->\n\n```ts\n([\s\S]*?)^```$/gm)];
const BLOCKS = /(<!-- (?:from|file): \S+ -->\n\n)?^```(\w+)\n/gm;
/** The cells with names in code, of all tables. */
const TABLES = EXTENDING.split('\n')
  .filter((line) => line.startsWith('|'))
  .join('\n');

/** The members of interfaces of a source, by name. */
function membersOf(file: string, interfaces?: readonly string[]): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.ES2023);
  return source.statements
    .filter((statement) => ts.isInterfaceDeclaration(statement))
    .filter(({ name }) => interfaces?.includes(name.text) ?? true)
    .flatMap(({ members }) => members.map((member) => member.name?.getText(source) ?? ''));
}

const isListed = (name: string): boolean => new RegExp(`\`${name}\\b[^\`]*\``).test(TABLES);

describe('EXTENDING.md', () => {
  it.each(SHOWN.map(([, file = '', code = '']) => ({ file, code })))(
    'shows a part of $file as it is',
    ({ file, code }) => {
      expect(read(file)).toContain(code);
    },
  );

  it('has no block of code that no test runs', () => {
    const stray = [...EXTENDING.replace(WALK, '').matchAll(BLOCKS)].filter(
      ([, place, language]) => place === undefined && language !== 'json',
    );
    expect(stray).toEqual([]);
    const inWalk = [...WALK.matchAll(BLOCKS)].filter(([, , language]) => language === 'ts');
    expect(inWalk.filter(([, place]) => place === undefined)).toEqual([]);
    expect(SHOWN.length).toBeGreaterThanOrEqual(10);
  });

  it('shows the package.json of a team’s application', () => {
    const [, manifest = ''] = /^```json\n("doorward"[\s\S]*?)^```$/m.exec(EXTENDING) ?? [];
    const [, used = ''] = /MANIFEST = (\{[\s\S]*?\n?\});/.exec(
      read('test/package/homes/in-both-homes.ts'),
    ) ?? [''];
    const words = (text: string): string[] => text.match(/[\w./]+/g) ?? [];
    expect(words(manifest)).toEqual(words(used));
  });

  it('reaches the first protected row in ten lines and two commands after the installation', () => {
    const [start = ''] = WALK.split('<!-- session -->');
    const [, entity = ''] = /```ts\n([\s\S]*?)```/.exec(start) ?? [];
    expect(entity.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10);
    expect([...start.matchAll(/^```sh$/gm)]).toHaveLength(2);
  });

  it.each(Object.keys(Field))('lists Field.%s', (kind) => {
    expect(TABLES).toContain(`\`Field.${kind}(`);
  });

  it.each([...new Set(membersOf('src/common/schema/field-options.ts'))])(
    'lists the option %s',
    (option) => {
      expect(isListed(option)).toBe(true);
    },
  );

  it.each(
    membersOf('src/repository/hooks.ts', ['CollectionHooks']).filter(
      (name) => name !== 'needsBefore',
    ),
  )('lists the hook %s', (hook) => {
    expect(isListed(hook)).toBe(true);
  });

  it.each(
    membersOf('src/repository/write-context.ts', [
      ...['TransactionContext', 'WriteContext', 'PayloadContext', 'UpdateContext'],
    ]),
  )('lists %s of the context', (name) => {
    expect(isListed(name)).toBe(true);
  });
});
