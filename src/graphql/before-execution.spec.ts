import {
  getOperationAST,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLObjectType,
  GraphQLSchema,
  parse,
} from 'graphql';
import type { RequestAuthenticator } from '../common/request/request-authenticator';
import { beforeExecution } from './before-execution';
import { ALTERNATIVE_IDS } from './schema/argument-types';

const data = {
  type: new GraphQLInputObjectType({ name: 'Data', fields: { count: { type: GraphQLInt } } }),
};
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { count: { type: GraphQLInt } } }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      update: { type: GraphQLInt, args: { ids: ALTERNATIVE_IDS, id: ALTERNATIVE_IDS, data } },
    },
  }),
});

/** Checks whether the document may be executed. @returns how often its caller was authenticated meanwhile */
async function ask(source: string, variables: object): Promise<number> {
  const authenticate = jest.fn(() => Promise.resolve());
  const plugin = beforeExecution(() => ({ authenticate }) as unknown as RequestAuthenticator);
  const document = parse(source);
  const asked = { schema, document, operation: getOperationAST(document), request: { variables } };
  const listener = await plugin.requestDidStart?.({} as never);
  if (!listener?.didResolveOperation) throw new Error('Nobody looks at operations');
  await listener.didResolveOperation({ ...asked, contextValue: {} } as never);
  return authenticate.mock.calls.length;
}

describe('an operation that takes exactly one of two arguments', () => {
  it.each(['', 'ids: [1], id: [1]', 'ids: null', 'ids: $none'])(
    'is refused with (%s)',
    async (args) => {
      const call = args === '' ? 'update' : `update(${args})`;
      await expect(ask(`mutation ($none: [ID]) { ${call} }`, {})).rejects.toMatchObject({
        code: 'INVALID_PAYLOAD',
      });
    },
  );

  it.each(['ids: [1]', 'id: $one'])('is accepted with (%s)', async (args) => {
    expect(await ask(`mutation ($one: [ID]) { update(${args}) }`, { one: [1] })).toBe(1);
  });

  it.each([
    'update @include(if: $do)',
    '... @include(if: $do) { update }',
    'update @skip(if: true)',
  ])('is not checked if a directive excludes it: %s', async (left) => {
    const document = `mutation ($do: Boolean = false) { ${left} }`;
    expect(await ask(document, {})).toBe(1);
    const kept = document.replace('= false', '= true').replace('@skip(if: true)', '');
    await expect(ask(kept, {})).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  });

  it('has its variables checked up to the first fault; the execution reports all of them', async () => {
    let described = 0;
    const wrong: Record<string, unknown> = { toJSON: () => String((described += 1)) };
    for (let at = 0; at < 1_000; at += 1) wrong[`unknown${at}`] = 1;
    await ask('mutation ($data: Data) { update(ids: [1], data: $data) }', { data: wrong });
    expect(described).toBeLessThan(10);
  });
});
