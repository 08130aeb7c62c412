import {
  type DocumentNode,
  type FieldNode,
  getArgumentValues,
  getVariableValues,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  OperationTypeNode,
  type OperationDefinitionNode,
} from 'graphql';
import { type Fragments, fragmentsOf } from '../fragments';
import type { GraphqlContext } from '../graphql-context';
import { type Complete, completionOf } from './completion';
import { plainSelections } from './selections';

/** A request for an operation of a document that was found valid. */
export interface PlainRequest {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
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

/** Of documents that are kept and come again; null: not plain. */
const plans = new WeakMap<OperationDefinitionNode, Plan | null>();

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
  const settled = await Promise.allSettled(
    calls.map(({ key, call }) => {
      const answer = call();
      asked.context.answers.set(key, answer);
      return answer;
    }),
  );
  try {
    return completed(plan, settled);
  } catch {
    // The same fault is found again, and told.
    return null;
  }
}

/** @returns null where an operation was refused */
function completed(
  { queries }: Plan,
  settled: readonly PromiseSettledResult<unknown>[],
): Readonly<Record<string, unknown>> | null {
  const data: Record<string, unknown> = {};
  for (const [at, { key, complete }] of queries.entries()) {
    const answer = settled[at];
    if (answer?.status !== 'fulfilled') return null;
    data[key] = complete(answer.value);
  }
  return data;
}

function planOf({ schema, document, operation }: PlainRequest): Plan | null {
  const known = plans.get(operation);
  if (known !== undefined) return known;
  const plan = planned(operation, document, schema) ?? null;
  plans.set(operation, plan);
  return plan;
}

function planned(
  { operation, selectionSet, directives = [] }: OperationDefinitionNode,
  document: DocumentNode,
  schema: GraphQLSchema,
): Plan | undefined {
  const type = schema.getQueryType();
  if (operation !== OperationTypeNode.QUERY || !type || directives.length > 0) return undefined;
  const fragments = fragmentsOf(document);
  const asked = plainSelections(selectionSet, type, fragments);
  const queries = asked?.map(([key, node]) => rootQuery(key, node, type, fragments));
  if (!queries?.every((query) => query !== undefined)) return undefined;
  return { type, queries, fragments: Object.fromEntries(fragments) };
}

function rootQuery(
  key: string,
  node: FieldNode,
  type: GraphQLObjectType,
  fragments: Fragments,
): RootQuery | undefined {
  const field = type.getFields()[node.name.value];
  if (!field?.resolve) return undefined;
  const complete = completionOf(field.type, node, fragments);
  return complete && { key, node, field, complete };
}

interface Call {
  readonly key: string;
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
    return plan.queries.map(({ key, node, field }) => {
      const args = getArgumentValues(field, node, variableValues);
      const path = { prev: undefined, key, typename: parentType.name };
      const info: GraphQLResolveInfo = {
        ...{ fieldName: field.name, fieldNodes: [node], returnType: field.type, parentType },
        ...{ path, schema, fragments, rootValue: undefined, operation, variableValues },
      };
      return { key, call: async () => field.resolve?.(undefined, args, context, info) };
    });
  } catch {
    return undefined;
  }
}
