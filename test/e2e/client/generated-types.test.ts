import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { runProgramIn } from '../../support';

/** Runs a separate program, and a compiler. */
jest.setTimeout(300_000);

const ROOT = join(__dirname, '../../..');
let folder: string;

async function types(...args: string[]): Promise<{ code: unknown; output: string }> {
  const env = { SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX', DATA_DIR: join(folder, 'data') };
  const program = runProgramIn(folder, join(ROOT, 'src/cli.ts'), env, 'types', ...args);
  return { code: await program.ends(), output: program.output() };
}

/** The errors of the compiler in a program that uses the client. */
function compile(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const USE = `
import {
  createDirectus, createItem, readItems, readMe, readSingleton, rest, updateItem, updateItems,
} from '@directus/sdk';
import type { Schema } from './schema.js';

const client = createDirectus<Schema>('http://localhost').with(rest());

export async function use(): Promise<unknown[]> {
  const articles = await client.request(
    readItems('articles', {
      fields: ['id', 'title', 'published_at', { category: ['name', { parent: ['name'] }], tags: ['name'] }],
      filter: { status: { _eq: 'draft' }, category: { name: { _eq: 'News' } } },
      sort: ['-published_at'],
    }),
  );
  const title: string | undefined = articles[0]?.title;
  const moment: string | null | undefined = articles[0]?.published_at;
  const category: string | undefined = articles[0]?.category?.name;
  const tags: (string | undefined)[] | undefined = articles[0]?.tags?.map((tag) => tag.name);
  const owners = await client.request(
    readItems('articles', { fields: ['category', { owner: ['email', 'department'] }] }),
  );
  const key: number | null | undefined = owners[0]?.category;
  const department: string | null | undefined = owners[0]?.owner?.department;
  const site = await client.request(readSingleton('site', { fields: ['name'] }));
  const name: string = site.name;
  const me = await client.request(readMe({ fields: ['department'] }));
  const mine: string | null = me.department;
  await client.request(updateItem('articles', 1, { title: 'New', category: 3 }));
  const added = await client.request(
    createItem(
      'articles',
      { title: 'Old', published_at: '2024-02-29T12:00:00Z', metadata: { a: 1, b: [{ c: null }] } },
      { fields: ['published_at', 'metadata', 'year(published_at)', 'count(metadata)'] },
    ),
  );
  const published: string | null = added.published_at;
  const year: number = added.published_at_year;
  const count: number = added.metadata_count;
  const { metadata } = added;
  if (typeof metadata === 'number') metadata.toFixed();
  await client.request(updateItems('articles', [1, 2], { published_at: null, metadata: [1, 'b'] }));
  await client.request(
    readItems('articles', {
      filter: {
        published_at: { _gte: '2024-01-01T00:00:00Z', _lt: '$NOW' },
        metadata: { _null: false },
      },
    }),
  );
  // @ts-expect-error a moment is text
  await client.request(createItem('articles', { title: 'Old', published_at: 2024 }));
  const gauges = await client.request(
    readItems('gauges', {
      fields: ['id', 'total', 'totals', 'due', 'opens', 'times', 'parent', 'parts', 'year(due)'],
      sort: ['-due'],
    }),
  );
  await client.request(
    readItems('gauges', {
      filter: {
        id: { _in: [1, '9007199254740993'] },
        total: { _gt: 5 },
        due: { _between: ['2024-01-01', '2024-12-31'] },
        opens: { _lt: '12:00:00' },
        parent: { total: { _eq: '9007199254740993' } },
      },
    }),
  );
  const exact: string | number | null | undefined = gauges[0]?.total;
  const due: string | null | undefined = gauges[0]?.due;
  const opens: string | null | undefined = gauges[0]?.opens;
  const totals: (string | number)[] | undefined = gauges[0]?.totals;
  const times: string[] | undefined = gauges[0]?.times;
  const parent: string | number | null | undefined = gauges[0]?.parent;
  const parts: (string | number)[] | undefined = gauges[0]?.parts;
  const parentKey = gauges[0]?.id;
  // @ts-expect-error it may be text
  const number: number | undefined = parentKey;
  // @ts-expect-error it may be a number
  const text: string | undefined = parentKey;
  await client.request(
    createItem('gauges', {
      total: 5,
      totals: ['9007199254740993', 5],
      due: '2024-02-29',
      opens: '08:00:00',
      read_at: '2024-02-29T12:00:00Z',
      times: ['2024-02-29T12:00:00Z'],
      parent: 7,
      parts: [8, '9007199254740993'],
    }),
  );
  await client.request(updateItem('gauges', '9007199254740993', { parts: [{ total: '9' }] }));
  // @ts-expect-error there is no such field
  await client.request(readItems('articles', { fields: ['titel'] }));
  // @ts-expect-error there is no such collection
  await client.request(readItems('artikles'));
  // @ts-expect-error a category has no such field
  await client.request(readItems('articles', { fields: [{ category: ['nam'] }] }));
  // @ts-expect-error it is no list
  await client.request(readItems('site'));
  // @ts-expect-error it was not asked for
  void articles[0]?.status;
  void [exact, due, opens, totals, times, parent, parts, number, text, published, year, count];
  return [title, moment, category, tags, key, department, name, mine];
}
`;

beforeAll(() => {
  // Where the packages of the project are found.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'types-'));
  const file = join(__dirname, 'generated-types.modules.ts');
  writeFileSync(join(folder, 'modules.js'), `module.exports = require(${JSON.stringify(file)});`);
  const manifest = { name: 'team', doorward: { modules: 'modules.js' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('writes types of all collections for the SDK, without a database', async () => {
  const written = await types('--out', 'schema.ts');
  expect(written).toEqual({ code: 0, output: '' });
  const text = readFileSync(join(folder, 'schema.ts'), 'utf8');
  expect(text).toContain('  articles: Article[];\n');
  expect(text).toContain('  site: Site;\n');
  expect(text).toContain('  category: number | Category | null;\n');
  expect(existsSync(join(folder, 'data'))).toBe(false);
  writeFileSync(join(folder, 'use.ts'), USE);
  expect(compile(join(folder, 'use.ts'))).toEqual([]);
});

it('prints them, and explains what it cannot do', async () => {
  const [shown, wrong, nowhere] = [
    await types(),
    await types('schema.ts'),
    await types('--out', 'no/such/folder.ts'),
  ];
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.output).toContain('export interface Schema {');
  expect(wrong).toMatchObject({ code: 1 });
  expect(wrong.output).toContain('doorward types --out FILE');
  expect(nowhere).toEqual({ code: 1, output: 'no/such/folder.ts cannot be written (ENOENT).\n' });
});
