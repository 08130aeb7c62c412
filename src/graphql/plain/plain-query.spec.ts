import { setTimeout as sleep } from 'node:timers/promises';
import {
  buildSchema,
  execute,
  getOperationAST,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';
import type { GraphqlContext } from '../graphql-context';
import { resolveRelation } from '../schema/relations';
import { answerPlainly } from './plain-query';

const schema = buildSchema(`
  scalar Any
  enum Mood { GOOD BAD }
  interface Named { name: String }
  type Author implements Named { id: ID! name: String mood: Mood }
  type Post { id: ID title: String count: Int price: Float open: Boolean data: Any tags: [String!] author: Author
    posts(limit: Int): [Post!] loud: String }
  type Query { posts(limit: Int): [Post!] post(id: ID!): Post must: Post! count: Int pair(a: Int, b: Int): [Int] }
  type Mutation { write: Post }`);

const AUTHOR = { id: 7, name: 'Ann', mood: 'GOOD' };
const POST = {
  id: 1,
  title: 'First',
  count: 2,
  price: 1.5,
  open: true,
  data: { a: [1, null] },
  tags: ['x', 'y'],
  rel_author: AUTHOR,
  rel_writer: AUTHOR,
  rel_posts: [{ id: '2' }],
};

/** The schema with these resolvers for its operations; all others are those of collections. */
function withResolvers(answers: Readonly<Record<string, unknown>>): {
  readonly made: GraphQLSchema;
  readonly calls: string[];
} {
  const calls: string[] = [];
  const set = (type: string, field: string, resolve: GraphQLFieldResolver<unknown, unknown>) => {
    const owner = schema.getType(type);
    const found = owner instanceof GraphQLObjectType ? owner.getFields()[field] : undefined;
    if (found) found.resolve = resolve;
  };
  for (const name of Object.keys(schema.getQueryType()?.getFields() ?? {})) {
    set('Query', name, (_source, args, context, { path }) => {
      const known = (context as GraphqlContext).answers.get(path.key);
      if (known) return known;
      calls.push(`${name} ${JSON.stringify(args)}`);
      const answer = answers[name];
      if (answer instanceof Error) throw answer;
      return name === 'pair' ? [args['a'], args['b']] : answer;
    });
  }
  set('Post', 'author', resolveRelation);
  set('Post', 'posts', resolveRelation);
  set('Post', 'loud', (source) => `${(source as typeof POST).title}!`);
  return { made: schema, calls };
}

const newContext = () => ({ answers: new Map() }) as unknown as GraphqlContext;

interface Asked {
  readonly text: string;
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The answer of graphql-js alone, the answer of the plan, and the answer of the plan followed by graphql-js. */
async function answersOf({ text, answers = {}, variables = {} }: Asked) {
  const { made, calls } = withResolvers({ posts: [POST], post: POST, count: 3, ...answers });
  const document = parse(text);
  expect(validate(made, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('One operation each');
  const asked = { schema: made, document, variableValues: variables };
  const alone = await execute({ ...asked, contextValue: newContext() });
  const called = calls.splice(0);
  const context = newContext();
  const plain = await answerPlainly({ schema: made, document, operation, variables, context });
  const both = plain ? { data: plain } : await execute({ ...asked, contextValue: context });
  return { alone, plain, both, called, calls };
}

const FIELDS = 'id title count price open data tags';

describe('A query that asks for rows', () => {
  it.each<[string, Asked]>([
    ['a list', { text: `{ posts(limit: 2) { ${FIELDS} } }` }],
    ['one item', { text: `{ post(id: 4) { ${FIELDS} } }` }],
    ['none', { text: `{ post(id: 4) { ${FIELDS} } }`, answers: { post: null } }],
    ['an empty list', { text: '{ posts { id } }', answers: { posts: [] } }],
    ['missing values', { text: `{ posts { ${FIELDS} } }`, answers: { posts: [{ id: 1 }] } }],
    ['other names', { text: '{ all: posts { key: id of: author { name } } again: posts { id } }' }],
    ['a relation twice', { text: '{ posts { author { name } writer: author { id } } }' }],
    ['relations', { text: '{ posts { posts(limit: 1) { id __typename } author { mood } } }' }],
    ['the type', { text: '{ posts { __typename kind: __typename id } }' }],
    ['a scalar', { text: '{ count }' }],
    [
      'variables',
      { text: 'query ($n: Int = 5, $m: Int) { pair(a: $n, b: $m) }', variables: { m: 2 } },
    ],
    [
      'fragments',
      {
        text: '{ posts { ...part ... on Post { title } ... { open } } } fragment part on Post { id author { ...who } } fragment who on Author { name }',
      },
    ],
    [
      'numbers as text',
      { text: '{ posts { title id } }', answers: { posts: [{ title: 5, id: 6 }] } },
    ],
    ['a date as any value', { text: '{ post(id: 1) { data } }', answers: { post: { data: 'x' } } }],
  ])('is answered by the plan exactly as by graphql-js: %s', async (_, asked) => {
    const { alone, plain, called, calls } = await answersOf(asked);
    expect(JSON.stringify({ data: plain })).toBe(JSON.stringify(alone));
    expect(calls).toEqual(called);
  });

  it.each<[string, Asked]>([
    [
      'a refused operation',
      { text: '{ count posts { id } }', answers: { posts: new Error('No') } },
    ],
    ['an error as a value', { text: '{ post(id: 1) { id } }', answers: { post: new Error('No') } }],
    ['an error among rows', { text: '{ posts { id } }', answers: { posts: [new Error('No')] } }],
    ['an error in a cell', { text: '{ posts { id } }', answers: { posts: [{ id: new Error() }] } }],
    ['null for a non-null field', { text: '{ must { id } }' }],
    ['null among rows', { text: '{ posts { id } }', answers: { posts: [null] } }],
    [
      'a missing required key',
      { text: '{ post(id: 1) { author { id } } }', answers: { post: { rel_author: {} } } },
    ],
    ['text for a number', { text: '{ post(id: 1) { count } }', answers: { post: { count: 'x' } } }],
    [
      'an unknown name of an enum',
      {
        text: '{ post(id: 1) { author { mood } } }',
        answers: { post: { rel_author: { mood: 'NO' } } },
      },
    ],
    ['a method', { text: '{ post(id: 1) { title } }', answers: { post: { title: () => 'made' } } }],
    [
      'a promise',
      { text: '{ post(id: 1) { title } }', answers: { post: { title: Promise.resolve('late') } } },
    ],
    [
      'a promise of any value',
      { text: '{ post(id: 1) { data } }', answers: { post: { data: Promise.resolve('late') } } },
    ],
    [
      'a method for any value',
      { text: '{ post(id: 1) { data } }', answers: { post: { data: () => 'made' } } },
    ],
    [
      'promised rows',
      { text: '{ posts { id } }', answers: { posts: [Promise.resolve({ id: 1 })] } },
    ],
    [
      'rows that are not an array',
      { text: '{ posts { id } }', answers: { posts: new Set([{ id: 1 }]) } },
    ],
    ['no list where one is required', { text: '{ posts { id } }', answers: { posts: { id: 1 } } }],
    [
      'a value that is not an object',
      { text: '{ post(id: 1) { title } }', answers: { post: 'text' } },
    ],
    ['a field with a resolver', { text: '{ posts { id loud } }' }],
    ['a name twice', { text: '{ posts { id id author { id } author { name } } }' }],
    [
      'a directive',
      {
        text: 'query ($no: Boolean!) { posts { id title @skip(if: $no) } }',
        variables: { no: true },
      },
    ],
    ['a fragment with a directive', { text: '{ posts { id ... @include(if: false) { title } } }' }],
    ['an interface', { text: '{ posts { author { ... on Named { name } } } }' }],
    ['a wrong variable', { text: 'query ($n: Int) { pair(a: $n) }', variables: { n: 'x' } }],
    ['a missing variable', { text: 'query ($id: ID!) { post(id: $id) { id } }' }],
    ['introspection', { text: '{ __schema { queryType { name } } count }' }],
    ['a mutation', { text: 'mutation { write { id } }' }],
    ['a name that is not a property', { text: '{ posts { __proto__: id } }' }],
  ])('is left to graphql-js, which resolves nothing twice: %s', async (_, asked) => {
    const { alone, plain, both, called, calls } = await answersOf(asked);
    expect(plain).toBeNull();
    expect(JSON.stringify(both)).toBe(JSON.stringify(alone));
    expect(calls).toEqual(called);
  });
});

it('A promised row that is rejected while another operation runs is reported, and does not end the process', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const failing = async (): Promise<never> => {
    await sleep(5);
    throw new Error('of one row');
  };
  const { made } = withResolvers({});
  const { posts, count } = made.getQueryType()?.getFields() ?? {};
  const answering =
    (make: () => unknown): GraphQLFieldResolver<unknown, unknown> =>
    async (_source, _args, context, { path }) =>
      (context as GraphqlContext).answers.get(path.key) ?? make();
  if (posts) posts.resolve = answering(() => [failing()]);
  if (count) count.resolve = answering(() => sleep(50, 1));
  const document = parse('{ posts { id } count }');
  const operation = getOperationAST(document);
  if (!operation) throw new Error('One operation');
  const context = newContext();
  const asked = { schema: made, document, operation, variables: {}, context };
  expect(await answerPlainly(asked)).toBeNull();
  const { data, errors } = await execute({ schema: made, document, contextValue: context });
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  expect(JSON.stringify(data)).toBe('{"posts":null,"count":1}');
  expect(errors?.map(({ message }) => message)).toEqual(['of one row']);
});
