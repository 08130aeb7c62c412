import type { Request, Response } from 'express';
import type { GraphQLFieldConfigArgumentMap, GraphQLOutputType, GraphQLResolveInfo } from 'graphql';
import type { Who } from '../../engine';
import type { RouteAccess } from '../../common/request/access.decorators';
import type { ReadingBudget } from '../../repository/read/answer-budget';
import type { SchemaTypes } from './schema-types';

/** What an operation is called with. */
export interface Call {
  readonly who: Who;
  readonly args: Readonly<Record<string, unknown>>;
  readonly info: GraphQLResolveInfo;
  readonly request: Request;
  readonly response: Response;
  /** Of all the queries of the request together. */
  readonly budget: ReadingBudget;
}

/** A field of Query or Mutation. Like a route it says whom it is for. */
export interface Operation {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly access: RouteAccess;
  readonly type: GraphQLOutputType;
  readonly args?: GraphQLFieldConfigArgumentMap;
  /** For the documentation in the schema. */
  readonly description?: string;
  resolve(call: Call): unknown;
}

/** The two schemas: the service's own collections, and the teams'. */
export type SchemaScope = 'system' | 'items';

/** A provider of operations beyond those that every collection has; found by its decorator `@Resolves`. */
export interface OperationResolver {
  operations(types: SchemaTypes): Operation[];
}
