import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  parse,
  printSchema,
} from 'graphql';
import ts from 'typescript';
import { as } from '../../support';
import { openSample, type Sample } from './open-sample';

/** Runs the unchanged client preset of graphql-codegen on the schema of the service, and a compiler. */
jest.setTimeout(300_000);

let sample: Sample;
let folder: string;

beforeAll(async () => {
  sample = await openSample();
  folder = mkdtempSync(join(__dirname, '.codegen-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await sample.app.close();
});

const DOCUMENT = `
  query Articles($filter: articles_filter) {
    articles(filter: $filter, sort: ["id"]) {
      id title qty price published_at published_at_func { year }
      category { name } tags { id name } notes_func { count }
    }
    articles_aggregated { count { id } }
  }
  mutation Rename($ids: [ID], $data: update_articles_input!) {
    update_articles_items(ids: $ids, data: $data) { id }
  }`;

const USE = `
import type { ArticlesQuery, ArticlesQueryVariables, RenameMutationVariables } from './gql/graphql';
import { graphql } from './gql';

const variables: ArticlesQueryVariables = {
  filter: { qty: { _gte: 1 }, published_at_func: { year: { _eq: 2024 } }, tags: { name: { _eq: 'red' } } },
};
export const rename: RenameMutationVariables = { ids: ['1'], data: { title: 'x', qty: 2 } };
export function titles({ articles }: ArticlesQuery): string[] {
  return (articles ?? []).map(({ id, title, qty, published_at_func, notes_func }) => {
    const key: string = id ?? '';
    const count: number = (qty ?? 0) + (published_at_func?.year ?? 0) + (notes_func?.count ?? 0);
    return key + (title ?? '') + count;
  });
}
export { graphql, variables };
`;

async function generate(): Promise<string[]> {
  const { data } = await as(sample.app, sample.token).graphql(getIntrospectionQuery());
  const schema = buildClientSchema(data as unknown as IntrospectionQuery);
  const documents = [{ location: 'articles.graphql', document: parse(DOCUMENT), rawSDL: DOCUMENT }];
  const config = { useTypeImports: true };
  const sections = await preset.buildGeneratesSection({
    ...{ baseOutputDir: `${folder}/gql/`, schema: parse(printSchema(schema)), documents },
    ...{ schemaAst: schema, config, plugins: [], pluginMap: {}, presetConfig: {} },
  });
  const files = await Promise.all(
    sections.map(async (section) => [section.filename, await codegen(section)] as const),
  );
  for (const [file, text] of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return files.map(([file]) => file);
}

function compile(files: readonly string[]): string[] {
  const program = ts.createProgram([...files], {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('types of documents are generated, and compile strictly with what uses them', async () => {
  const files = await generate();
  const use = join(folder, 'use.ts');
  writeFileSync(use, USE);
  expect(compile([...files, use])).toEqual([]);
  writeFileSync(use, USE.replace('_gte: 1', '_contains: true'));
  expect(compile([use]).join()).toMatch(/_contains/);
});
