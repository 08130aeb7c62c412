import { getNamedType, isListType, isObjectType, type GraphQLObjectType } from 'graphql';
import { GraphqlSchemas } from '../../src/graphql';
import { type Newsroom, openNewsroom } from './extension/newsroom';

/** Random documents: plain queries are answered as graphql-js answers them. */

const DOCUMENTS = 120;
const DEPTH = 3;
const ARGUMENTS = [
  ...[
    '(limit: 1)',
    '(limit: 0)',
    '(limit: -5)',
    '(limit: $n)',
    '(offset: 1)',
    '(page: 1, limit: 2)',
  ],
  ...['(sort: ["-id"])', '(search: "a")', '(filter: {id: {_null: false}})'],
];
const NAMES = ['a', 'b', 'id2', 'title_', '_x'];

let world: Newsroom;
beforeAll(async () => {
  world = await openNewsroom();
});
afterAll(() => world.app.close());

let seed = 12_345;
const random = (): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

const argumentsOf = (isList: boolean): string => (isList && random() < 0.5 ? pick(ARGUMENTS) : '');

function part(type: GraphQLObjectType, depth: number, at: number): string {
  const chance = random();
  if (chance < 0.1) return pick(['__typename', 't: __typename']);
  if (chance < 0.25) return `... ${pick(['', `on ${type.name}`])} { ${selection(type, depth)} }`;
  const field = pick(Object.values(type.getFields()));
  const target = getNamedType(field.type);
  const alias = random() < 0.4 ? `${pick(NAMES)}${at}_${depth}_${Math.floor(random() * 50)}: ` : '';
  if (!isObjectType(target)) return `${alias}${field.name}`;
  if (depth === 0) return '__typename';
  const args = argumentsOf(isListType(field.type) && field.args.length > 0);
  return `${alias}${field.name}${args} { ${selection(target, depth - 1)} }`;
}

const selection = (type: GraphQLObjectType, depth: number): string =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, (_, at) => part(type, depth, at)).join(' ');

/** @returns a query, with `@@` for a directive */
function made(scope: 'items' | 'system'): string {
  const query = world.app.app.get(GraphqlSchemas, { strict: false }).of(scope).getQueryType();
  const fields = Object.values(query?.getFields() ?? {});
  const field = pick(fields.filter(({ name }) => !name.endsWith('_me')));
  const target = getNamedType(field.type);
  const isOne = field.args.some(({ name }) => name === 'id');
  const args = isOne
    ? pick(['(id: 1)', '(id: "x")', '(id: $n)'])
    : argumentsOf(field.args.length > 0);
  const inner = isObjectType(target) ? `{ ${selection(target, DEPTH)} }` : '';
  const used = `${args}${inner}`.includes('$n') ? `($n: ${isOne ? 'ID = 2' : 'Int'})` : '';
  return `query ${used} { ${field.name}${args} @@ ${inner} }`;
}

/** Columns are not compared, since the directive moves them. */
const compared = (text: string): string => text.replaceAll(/"column":\d+/g, '');

it('plain execution and graphql-js give the same answers', async () => {
  let whole = 0;
  for (let at = 0; at < DOCUMENTS; at += 1) {
    const scope = pick(['items', 'items', 'system'] as const);
    const path = scope === 'system' ? '/graphql/system' : '/graphql';
    const [document, who] = [made(scope), pick(['admin', 'ann', 'bob', null])];
    const ask = (directive: string) =>
      world.as(who).send('POST', path, { query: document.replace('@@', directive) });
    const [plain, usual] = [await ask(''), await ask('@include(if: true)')];
    expect([document, plain.status, compared(plain.text)]).toEqual([
      ...[document, usual.status],
      compared(usual.text),
    ]);
    expect([document, plain.codes]).not.toEqual([document, ['INTERNAL_SERVER_ERROR']]);
    if (plain.codes.length === 0) whole += 1;
  }
  expect(whole).toBeGreaterThan(DOCUMENTS / 10);
});
