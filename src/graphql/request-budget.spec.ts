import {
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  graphql,
} from 'graphql';
import type { AppConfig } from '../config/app-config';
import { GRAPHQL_LIMITS } from './limits';
import { RequestBudget } from './request-budget';

/** Of `{ numbers }`, a list. */
async function infoOfList(): Promise<GraphQLResolveInfo> {
  let found: GraphQLResolveInfo | undefined;
  const numbers = {
    type: new GraphQLList(GraphQLInt),
    resolve: (...[, , , info]: [unknown, unknown, unknown, GraphQLResolveInfo]) => {
      found = info;
      return [];
    },
  };
  const query = new GraphQLObjectType({ name: 'Query', fields: { numbers } });
  await graphql({ schema: new GraphQLSchema({ query }), source: '{ numbers }' });
  if (!found) throw new Error('The field was resolved');
  return found;
}

const MOST = Array.from({ length: GRAPHQL_LIMITS.answer - 1 }, () => 1);

describe('what the answers of one request may hold', () => {
  it('counts only the last answer of an operation that answers again, as after a deadlock', async () => {
    const info = await infoOfList();
    const budget = new RequestBudget({} as AppConfig);
    const take = budget.taking(info);
    take(MOST);
    take(MOST);
    expect(() => budget.take([1], info)).toThrow(/more than/);
  });

  it('counts the answers of several operations together', async () => {
    const info = await infoOfList();
    const budget = new RequestBudget({} as AppConfig);
    budget.taking(info)(MOST);
    expect(() => budget.taking(info)([1])).toThrow(/more than/);
  });
});
