import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateDirectusSchema } from '@kraftend/directus-typegen';
import { generateDirectusTypes } from 'directus-sdk-typegen';
import ts from 'typescript';
import { openSample, type Sample } from './open-sample';

/** Published type generators, unchanged: they get only the address and a token. */
jest.setTimeout(300_000);

let sample: Sample;
let folder: string;

beforeAll(async () => {
  sample = await openSample();
  folder = mkdtempSync(join(__dirname, '.types-'));
  jest.spyOn(console, 'log').mockImplementation();
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await sample.app.close();
});

function faults(file: string): string[] {
  const program = ts.createProgram([file], {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('directus-sdk-typegen generates types that the client can use', async () => {
  const outputPath = join(folder, 'schema.ts');
  await generateDirectusTypes({
    ...{ outputPath, directusUrl: sample.app.url, directusToken: sample.token },
  });
  const text = readFileSync(outputPath, 'utf8');
  const article = /export interface Article \{\n([^}]*)\}/.exec(text)?.[1];
  for (const line of [
    'id: number;',
    'title: string;',
    'body?: string | null;',
    "status?: 'draft' | 'published' | 'archived';",
    'qty?: number | null;',
    'rating?: number | null;',
    'featured?: boolean;',
    'published_at?: string | null;',
    "metadata?: 'json' | null;",
    'owner?: ServiceUser | string | null;',
    'category?: Category | string | null;',
    'tags?: Tag[] | string[];',
    'notes?: Note[] | string[];',
  ]) {
    expect(article).toContain(`\t${line}\n`);
  }
  expect(text).toContain('\tsite: Site;\n');
  expect(text).toContain('\tarticles: Article[];\n');
  const use = join(folder, 'use.ts');
  writeFileSync(
    use,
    `import { createDirectus, readItems, readSingleton, rest } from '@directus/sdk';
     import type { Schema } from './schema.js';
     const client = createDirectus<Schema>('http://localhost').with(rest());
     export async function read(): Promise<string[]> {
       const site = await client.request(readSingleton('site', { fields: ['name'] }));
       const items = await client.request(
         readItems('articles', {
           fields: ['id', 'title', { tags: ['name'], owner: ['first_name'] }],
           filter: { status: { _eq: 'published' } },
         }),
       );
       return [site.name, ...items.map(({ id, title }) => title + id.toFixed())];
     }`,
  );
  expect(faults(use)).toEqual([]);
});

it('@kraftend/directus-typegen generates types that compile', async () => {
  const file = join(folder, 'kraftend.ts');
  await generateDirectusSchema(sample.app.url, sample.token, file);
  const text = readFileSync(file, 'utf8');
  const article = /export interface Articles \{\n([^}]*)\}/.exec(text)?.[1];
  for (const line of [
    'category?: number | Categories | null;',
    'id: number;',
    'metadata?: unknown | null;',
    'notes: any[] | Notes[];',
    'owner?: string | ServiceUsers | null;',
    'status: string;',
    'tags: any[] | Tags[];',
  ]) {
    expect(article).toContain(`  ${line}\n`);
  }
  expect(text).toContain('  site: Site;\n');
  expect(faults(file)).toEqual([]);
});
