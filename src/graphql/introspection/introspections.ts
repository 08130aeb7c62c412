import { executeSync, type FieldNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { coercedVariables } from '../coerced-variables';
import { fragmentsOf } from '../fragments';
import { derivedFromOperation, type ValidOperation } from '../derived-from-operation';
import { mentionedFields } from '../root-fields';
import { highestCost, IntrospectionCost } from './introspection-cost';
import { SerializedData } from './serialized-data';

/** Bytes that the cached answers of each of the two endpoints may use. */
const MAX_BYTES = 4_000_000;
/** Bytes of an entry beside its text. */
const BYTES_OF_ENTRY = 200;

export interface RequestedOperation extends ValidOperation {
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Mentions {
  /** `__schema` and `__type`. */
  readonly fields: readonly FieldNode[];
  /** Whether nothing else is asked for. */
  readonly isAll: boolean;
}

const NOTHING: Mentions = { fields: [], isAll: false };

/**
 * What an operation requests of the introspection. It is remembered with the document, since it is nearly always
 * nothing.
 */
const mentionsOf = derivedFromOperation(({ operation, document }): Mentions => {
  const all = mentionedFields(operation.selectionSet, fragmentsOf(document));
  const fields = all.filter(({ name }) => name.value === '__schema' || name.value === '__type');
  if (fields.length === 0) return NOTHING;
  return { fields, isAll: all.every(({ name }) => name.value.startsWith('__')) };
});

/** Introspection at one endpoint: costly queries are refused, and repeated ones are answered from memory. */
export class Introspections {
  /** Answers as text, by what was asked. */
  readonly sized = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    sizeCalculation: (text, key) => BYTES_OF_ENTRY + 2 * (text.length + key.length),
  });

  /** @throws GraphQLError that becomes INVALID_QUERY, like those of other documents that are too large */
  refuseCostly(request: RequestedOperation): void {
    const { fields } = mentionsOf(request);
    if (fields.length === 0 || this.knows(request)) return;
    const { schema, document, variables } = request;
    const coerced = coercedVariables(request, variables);
    if (!coerced) return;
    const bound = highestCost(schema);
    const cost = new IntrospectionCost(schema, fragmentsOf(document), bound);
    if (cost.of(fields, coerced) > bound) throw tooCostly(request);
  }

  /** @returns undefined where more than the schema is asked for, and where there are faults, which Apollo reports */
  answer(request: RequestedOperation): SerializedData | undefined {
    if (!mentionsOf(request).isAll) return undefined;
    const key = keyOf(request);
    const known = this.sized.get(key);
    if (known !== undefined) return new SerializedData(known);
    const { schema, document, operation, variables: variableValues } = request;
    const operationName = operation.name?.value;
    const { data, errors } = executeSync({ schema, document, operationName, variableValues });
    if (!data || errors) return undefined;
    const text = JSON.stringify(data);
    this.sized.set(key, text);
    return new SerializedData(text);
  }

  private knows(request: RequestedOperation): boolean {
    return mentionsOf(request).isAll && this.sized.has(keyOf(request));
  }
}

/** The text of a document may hold several operations, and variables make one operation several. */
const keyOf = ({ document, operation, variables }: RequestedOperation): string =>
  JSON.stringify([
    operation.name?.value ?? '',
    (operation.variableDefinitions ?? []).map(({ variable: { name } }) => [
      name.value,
      variables[name.value],
    ]),
    document.loc?.source.body,
  ]);

const tooCostly = ({ operation }: RequestedOperation): GraphQLError =>
  new GraphQLError(
    'must ask for less of the schema: this is more than one and a half times the whole',
    {
      nodes: operation,
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
    },
  );
