import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

interface ImportRule {
  readonly comment?: string;
  readonly from: { readonly path?: string };
  readonly to: { readonly path?: string };
}

const { forbidden } = createRequire(__filename)(join(ROOT, '.dependency-cruiser.cjs')) as {
  readonly forbidden: readonly ImportRule[];
};

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const matches = (pattern: string | undefined, folder: string): boolean =>
  pattern !== undefined && new RegExp(pattern).test(`src/${folder}/x.ts`);

/** Whether a rule is about this particular folder. */
const isNamed = (folder: string): boolean =>
  forbidden
    .flatMap(({ from, to }) => [from.path, to.path])
    .some((pattern) => matches(pattern, folder) && !matches(pattern, 'not-a-folder'));

/** The features in the order of the import rules: groups of equal level, the lowest first. */
const ordered = forbidden
  .filter(({ comment }) => comment === 'Features stand on one another in one direction.')
  .map(({ from }) => /\((.+)\)/.exec(from.path ?? '')?.[1]?.split('|'));

describe('Every folder of src', () => {
  it('has a place in the import rules', () => {
    expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
    expect(isNamed('not-a-folder')).toBe(false);
  });

  it('is listed in the README, under «How it is built»', () => {
    const [, tree = ''] =
      /## How it is built\s+```text\nsrc\/\n(.+?)^\w/ms.exec(read('README.md')) ?? [];
    const named = [...tree.matchAll(/(?<=^ +(?:\S+ )*)([\w-]+)\/(?= )/gm)].map(
      ([, name = '']) => name,
    );
    expect(named.toSorted()).toEqual(folders.toSorted());
  });
});

describe('CONTRIBUTING.md', () => {
  it('lists the features in the order of the import rules', () => {
    const [, order = ''] = /the lowest first: (.+?)\./s.exec(read('CONTRIBUTING.md')) ?? [];
    const written = order
      .split(';')
      .map((level) => [...level.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
    expect(written).toEqual(ordered);
  });

  it('names only code that exists on the way of a request', () => {
    const [, way = ''] = /## The way of a request(.+?)\n## /s.exec(read('CONTRIBUTING.md')) ?? [];
    const names = [...way.matchAll(/`(\w+)(?:\.(\w+))?(?:\(.*?\))?`/g)].flatMap(([, ...parts]) =>
      parts.filter((name) => name !== undefined),
    );
    const source = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => read(join('src', file)))
      .join('\n');
    const isCode = (name: string): boolean =>
      new RegExp(`(class|function|const|readonly|interface) ${name}\\b|\\b${name}\\??\\(`).test(
        source,
      );
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => !isCode(name))).toEqual([]);
    expect(isCode('notDeclaredAnywhere')).toBe(false);
  });
});
