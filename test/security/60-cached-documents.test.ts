import { buildSchema, getOperationAST, parse } from 'graphql';
import { DocumentCache } from '../../src/graphql/document-cache';
import type { GraphqlContext } from '../../src/graphql/graphql-context';
import { answerPlainly } from '../../src/graphql/plain/plain-query';
import { rootFields } from '../../src/graphql/root-fields';
import { expectRoom, type Filling } from './filled-caches';

jest.setTimeout(120_000);

/** Documents with two hundred operations, each of which uses both fragments and was executed. */
function documents(): Filling {
  const made = buildSchema('type Row { id: Int } type Query { rows: [Row] }');
  const { rows } = made.getQueryType()?.getFields() ?? {};
  Object.assign(rows ?? {}, { resolve: () => [] });
  const cache = new DocumentCache();
  const few = (count: number, field: string): string =>
    Array.from({ length: count }, (_, at) => `a${at}: ${field}`).join(' ');
  const parts = `fragment R on Row { ${few(24, 'id')} } fragment Q on Query { ${few(19, 'rows { ...R }')} }`;
  const add = async (number: number): Promise<void> => {
    const names = Array.from({ length: 200 }, (_, at) => `q${number}x${at}`);
    const operations = names.map((name) => `query ${name} { ...Q }`).join(' ');
    const document = parse(`${parts} ${operations}`);
    await cache.set(String(number), document);
    for (const name of names) {
      const operation = getOperationAST(document, name);
      if (!operation) throw new Error('every operation is there');
      const asked = { schema: made, document, operation };
      expect(rootFields(asked)).toHaveLength(19);
      const context = { answers: new Map() } as object as GraphqlContext;
      const answer = await answerPlainly({ ...asked, variables: {}, context });
      expect(Object.keys(answer ?? {})).toHaveLength(19);
    }
  };
  return { owner: cache, add };
}

it('60: parsed documents, with the plans to answer them, stay within their bound', () =>
  expectRoom('parsed documents', documents, 20, 15));
