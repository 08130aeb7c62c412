import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { TEST_ADMIN } from '../../support';
import { type Newsroom, openNewsroom } from '../extension/newsroom';

/** A compiler. */
jest.setTimeout(300_000);

const ROOT = join(__dirname, '../../..');

const USE = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

export async function use(baseUrl: string, email: string, password: string): Promise<unknown[]> {
  const client = createClient<paths>({ baseUrl });
  const { data, error } = await client.POST('/auth/login', { body: { email, password } });
  if (error) throw new Error(error.errors[0]?.message);
  const token: string | undefined = data.data.access_token;
  client.use({
    onRequest: ({ request }) => request.headers.set('authorization', 'Bearer ' + token),
  });
  const made = await client.POST('/items/tags', { body: { name: 'typed' } });
  const list = await client.GET('/items/tags', {
    params: { query: { fields: 'id,name', sort: '-id', filter: JSON.stringify({ name: { _eq: 'typed' } }) } },
  });
  const names: (string | undefined)[] | undefined = list.data?.data.map(({ name }) => name);
  const article = await client.PATCH('/items/articles/{id}', {
    params: { path: { id: 1 }, query: { fields: 'title,status' } },
    body: { status: 'draft' },
  });
  const status: 'draft' | 'published' | 'archived' | undefined = article.data?.data.status;
  const missing = await client.GET('/permissions/{id}', { params: { path: { id: 999999 } } });
  const code: string | undefined = missing.error?.errors[0]?.extensions.code;
  const rules = await client.GET('/permissions/me');
  const access: 'none' | 'partial' | 'full' | undefined = rules.data?.data['tags']?.['read']?.access;
  const gone = await client.DELETE('/items/tags', {
    params: {},
    body: { query: { filter: { name: { _eq: 'typed' } } } },
  });
  // @ts-expect-error a name is a text
  void (() => client.POST('/items/tags', { body: { name: 5 } }));
  // @ts-expect-error there is no such status
  void (() => client.PATCH('/items/articles/{id}', { params: { path: { id: 1 } }, body: { status: 'gone' } }));
  // @ts-expect-error there is no such path
  void (() => client.GET('/items/artikles'));
  // @ts-expect-error there is no such parameter
  void (() => client.GET('/items/tags', { params: { query: { limits: 3 } } }));
  return [made.response.status, names, status, code, access, gone.response.status];
}
`;

let world: Newsroom;
let folder: string;

beforeAll(async () => {
  world = await openNewsroom();
  // Where the packages of the project are found.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'typed-client-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.app.close();
});

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
};

/** @returns the errors of the compiler */
function compile(file: string): string[] {
  const program = ts.createProgram([file], OPTIONS);
  const faults = ts.getPreEmitDiagnostics(program);
  program.emit();
  return faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('is generated from the document, compiles strictly, and works as typed', async () => {
  const { text } = await world.as('admin').get('/server/specs/oas');
  const types = astToString(await openapiTS(JSON.parse(text) as OpenAPI3));
  writeFileSync(join(folder, 'schema.ts'), types);
  writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
  writeFileSync(join(folder, 'use.ts'), USE);
  expect(compile(join(folder, 'use.ts'))).toEqual([]);
  // The compiler blocked the process for longer than idle connections live: let both sides notice that first.
  await pause(500);
  const { use } = (await import(join(folder, 'use.js'))) as {
    use: (url: string, email: string, password: string) => Promise<unknown[]>;
  };
  const { email, password } = TEST_ADMIN;
  expect(await use(world.app.url, email, password)).toEqual([
    ...[200, ['typed'], 'draft', 'FORBIDDEN', 'full', 204],
  ]);
});
