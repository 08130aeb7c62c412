import {
  type FieldNode,
  getArgumentValues,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  OperationTypeNode,
} from 'graphql';
import { coercedVariables } from '../coerced-variables';
import { fragmentsOf } from '../fragments';
import type { GraphqlContext } from '../graphql-context';
import { derivedFromOperation, type ValidOperation } from '../derived-from-operation';
import { type Complete, Completions } from './completion';
import { plainSelections } from './selections';

interface PlainRequest extends ValidOperation {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: GraphqlContext;
}

/** One operation of a query in a document. */
interface RootQuery {
  readonly key: string;
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  readonly complete: Complete;
}

interface Plan {
  readonly type: GraphQLObjectType;
  readonly queries: readonly RootQuery[];
  readonly fragments: GraphQLResolveInfo['fragments'];
}

/**
 * Answers a query for nothing but rows: their fields, relations and `__typename`, possibly through fragments. Each
 * operation is resolved as usual, with all guards; only the work that graphql-js does for each value is skipped.
 * @returns null where graphql-js has to decide; results up to then are in `context.answers`
 */
export async function answerPlainly(
  request: PlainRequest,
): Promise<Readonly<Record<string, unknown>> | null> {
  const plan = planOf(request);
  const calls = plan && callsOf(plan, request);
  if (!calls) return null;
  try {
    // Each call is started as soon as possible, so its promise must be handled.
    const members = calls.map(async ({ key, call, complete }) => {
      const answer = call();
      request.context.answers.set(key, answer);
      return [key, complete(await answer)] as const;
    });
    return Object.fromEntries(await Promise.all(members));
  } catch {
    // graphql-js finds the same fault again, and reports it.
    return null;
  }
}

const planOf = derivedFromOperation(({ schema, document, operation }): Plan | undefined => {
  const { selectionSet, directives = [] } = operation;
  const type = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || !type || directives.length > 0)
    return undefined;
  const fragments = fragmentsOf(document);
  const completions = new Completions(fragments);
  const selections = plainSelections(selectionSet, type, fragments);
  const queries = selections?.map(([key, node]) => rootQuery(key, node, type, completions));
  if (!queries?.every((query) => query !== undefined)) return undefined;
  return { type, queries, fragments: Object.fromEntries(fragments) };
});

function rootQuery(
  key: string,
  node: FieldNode,
  type: GraphQLObjectType,
  completions: Completions,
): RootQuery | undefined {
  const field = type.getFields()[node.name.value];
  if (!field?.resolve) return undefined;
  const complete = completions.of(field, node);
  return complete && { key, node, field, complete };
}

interface Call extends Pick<RootQuery, 'key' | 'complete'> {
  readonly call: () => Promise<unknown>;
}

/** @returns undefined where variables or arguments are wrong */
function callsOf(plan: Plan, request: PlainRequest): readonly Call[] | undefined {
  const { schema, operation, variables, context } = request;
  const variableValues = coercedVariables(request, variables);
  if (!variableValues) return undefined;
  const { type: parentType, fragments } = plan;
  try {
    return plan.queries.map(({ key, node, field, complete }) => {
      const args = getArgumentValues(field, node, variableValues);
      const path = { prev: undefined, key, typename: parentType.name };
      const info: GraphQLResolveInfo = {
        fieldName: field.name,
        fieldNodes: [node],
        returnType: field.type,
        parentType,
        path,
        schema,
        fragments,
        rootValue: undefined,
        operation,
        variableValues,
      };
      return { key, complete, call: async () => field.resolve?.(undefined, args, context, info) };
    });
  } catch {
    return undefined;
  }
}
