import {
  type FieldNode,
  getArgumentValues,
  getVariableValues,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  OperationTypeNode,
} from 'graphql';
import { fragmentsOf } from '../fragments';
import type { GraphqlContext } from '../graphql-context';
import { ofOperation, type ValidOperation } from '../of-operation';
import { type Complete, Completions } from './completion';
import { plainSelections } from './selections';

interface PlainRequest extends ValidOperation {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: GraphqlContext;
}

/** One operation of a query as a document asks for it. */
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

/** That there is one is enough: graphql-js looks for all. */
const ONE_FAULT = { maxErrors: 1 };

/**
 * Answers a query that asks for nothing but rows: their fields, relations and `__typename`, maybe by fragments. Each
 * operation is resolved as ever, with all guards; what is left out is what graphql-js does for each value of its answer.
 * @returns null where graphql-js has to say what comes of it; what was resolved by then is in `context.answers`
 */
export async function answerPlainly(
  asked: PlainRequest,
): Promise<Readonly<Record<string, unknown>> | null> {
  const plan = planOf(asked);
  const calls = plan && callsOf(plan, asked);
  if (!calls) return null;
  try {
    // Each is looked at as soon as it is there: what it promises has to be listened to.
    const members = calls.map(async ({ key, call, complete }) => {
      const answer = call();
      asked.context.answers.set(key, answer);
      return [key, complete(await answer)] as const;
    });
    return Object.fromEntries(await Promise.all(members));
  } catch {
    // The same fault is found again, and told.
    return null;
  }
}

const planOf = ofOperation(({ schema, document, operation }): Plan | undefined => {
  const { selectionSet, directives = [] } = operation;
  const type = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || !type || directives.length > 0)
    return undefined;
  const fragments = fragmentsOf(document);
  const completions = new Completions(fragments);
  const asked = plainSelections(selectionSet, type, fragments);
  const queries = asked?.map(([key, node]) => rootQuery(key, node, type, completions));
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
function callsOf(plan: Plan, asked: PlainRequest): readonly Call[] | undefined {
  const { schema, operation, variables, context } = asked;
  const definitions = operation.variableDefinitions ?? [];
  const variableValues =
    definitions.length === 0
      ? {}
      : getVariableValues(schema, definitions, variables, ONE_FAULT).coerced;
  if (!variableValues) return undefined;
  const { type: parentType, fragments } = plan;
  try {
    return plan.queries.map(({ key, node, field, complete }) => {
      const args = getArgumentValues(field, node, variableValues);
      const path = { prev: undefined, key, typename: parentType.name };
      const info: GraphQLResolveInfo = {
        ...{ fieldName: field.name, fieldNodes: [node], returnType: field.type, parentType },
        ...{ path, schema, fragments, rootValue: undefined, operation, variableValues },
      };
      return { key, complete, call: async () => field.resolve?.(undefined, args, context, info) };
    });
  } catch {
    return undefined;
  }
}
