import {
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  parse,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { DocumentSize } from './document-size';
import { fragmentsOf } from './fragments';
import { GRAPHQL_LIMITS } from './limits';

/** The cache of texts found small enough, in bytes: the same texts come repeatedly. */
const MAX_BYTES = 2_000_000;
/** Bytes of an entry beside its text. */
const BYTES_OF_ENTRY = 200;
export const smallDocuments = new LRUCache<string, true>({
  maxSize: MAX_BYTES,
  sizeCalculation: (_, source) => BYTES_OF_ENTRY + 2 * source.length,
});

/**
 * Runs before the document is validated: the standard rules compare everything with everything.
 * @throws GraphQLError that becomes INVALID_QUERY
 */
export function refuseLargeDocument(source: unknown): void {
  if (typeof source !== 'string' || smallDocuments.has(source)) return;
  const document = parsed(source);
  if (!document) return;
  refuseLarge(source, document);
  smallDocuments.set(source, true);
}

function refuseLarge(source: string, document: DocumentNode): void {
  const long = LONG.test(source) ? longName(document) : undefined;
  if (long) throw tooLarge(`must hold no name longer than ${GRAPHQL_LIMITS.name} characters`, long);
  const fragments = fragmentsOf(document);
  if (fragments.size > GRAPHQL_LIMITS.fragments)
    throw tooLarge(`must hold at most ${GRAPHQL_LIMITS.fragments} fragments`);
  const size = new DocumentSize(fragments);
  for (const operation of document.definitions.filter(isOperation)) {
    const fault = size.faultOf(operation);
    if (fault !== undefined) throw tooLarge(fault, operation);
  }
}

/** A text that is not a document is refused by the parser later. */
function parsed(source: string): DocumentNode | undefined {
  try {
    return parse(source, { maxTokens: GRAPHQL_LIMITS.tokens });
  } catch {
    return undefined;
  }
}

/** A quick test for such a name; strings have long words too. */
const LONG = new RegExp(`\\w{${GRAPHQL_LIMITS.name + 1}}`);

function longName(document: DocumentNode): NameNode | undefined {
  const found: NameNode[] = [];
  visit(document, {
    Name(node) {
      if (node.value.length > GRAPHQL_LIMITS.name) found.push(node);
    },
  });
  return found[0];
}

const isOperation = (node: DefinitionNode): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION;

const tooLarge = (reason: string, nodes?: NameNode | OperationDefinitionNode): GraphQLError =>
  new GraphQLError(reason, {
    ...(nodes && { nodes }),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
  });
