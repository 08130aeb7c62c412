import type { ApolloDriverConfig } from '@nestjs/apollo';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';

/** Apollo's type, from the package that the driver resolves. */
export type ApolloPlugin = NonNullable<ApolloDriverConfig['plugins']>[number];

/** What a plugin receives for a request with a valid document. */
export interface ResolvedRequest {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  /** Absent where the request names none of several, or an unknown one. */
  readonly operation?: OperationDefinitionNode | undefined;
  readonly request: { readonly variables?: Readonly<Record<string, unknown>> };
  readonly contextValue: object;
}
