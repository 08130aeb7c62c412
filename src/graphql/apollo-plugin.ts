import type { ApolloDriverConfig } from '@nestjs/apollo';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';

/** Apollo's type, by the way that leads to the one that the driver means. */
export type ApolloPlugin = NonNullable<ApolloDriverConfig['plugins']>[number];

/** What a plugin is told of a request whose document was found valid. */
export interface ResolvedRequest {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  /** Absent where the request names none of several, or one that is not there. */
  readonly operation?: OperationDefinitionNode | undefined;
  readonly request: { readonly variables?: Readonly<Record<string, unknown>> };
  readonly contextValue: object;
}
