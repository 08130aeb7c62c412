import { SetMetadata } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { GraphQLFieldConfigArgumentMap, GraphQLOutputType } from 'graphql';
import { aggregatedType, groupArguments } from './schema/aggregate-types';
import {
  ALTERNATIVE_IDS,
  DeletedMany,
  DeletedOne,
  ID,
  IDS,
  LENIENT_IDS,
  listType,
  required,
} from './schema/argument-types';
import type { SchemaTypes } from './schema/schema-types';

/** The two endpoints: `/graphql/system` for the service's own collections, `/graphql` for the teams'. */
export type Endpoint = 'system' | 'items';

/** How an operation that every collection has is declared in the schema. */
export interface OperationShape {
  readonly kind: 'query' | 'mutation';
  /** @param name the collection's name in this schema */
  field(name: string): string;
  type(types: SchemaTypes, collection: string): GraphQLOutputType;
  args?(types: SchemaTypes, collection: string, lists: ListTypes): GraphQLFieldConfigArgumentMap;
}

/**
 * How the operations on many items declare their lists; clients declare their variables with the same types.
 *
 * - `lenient`: `create(data: [T!])`, `update(ids: [ID], id: [ID])`, of which one is given, and `delete(ids: [ID]!)`.
 * - `strict`: `create(data: [T!]!)`, `update(id: [ID!]!)` and `delete(ids: [ID!]!)`.
 */
export type ListTypes = 'lenient' | 'strict';

const create = (types: SchemaTypes, collection: string) => types.payload('create', collection);
const update = (types: SchemaTypes, collection: string) => types.payload('update', collection);
const item: OperationShape['type'] = (types, collection) => types.item(collection);
const list: OperationShape['type'] = (types, collection) => types.list(collection);

/** The operations of `ItemsResolver` and `SingletonResolver`, by the names of their methods' decorators. */
export const OPERATIONS = {
  list: {
    kind: 'query',
    field: (name) => name,
    type: list,
    args: (types, collection) => ({
      ...types.listArguments(collection),
      ...types.rootArguments(collection),
    }),
  },
  one: {
    kind: 'query',
    field: (name) => `${name}_by_id`,
    type: item,
    args: (types, collection) => ({ id: ID, ...types.rootArguments(collection) }),
  },
  aggregate: {
    kind: 'query',
    field: (name) => `${name}_aggregated`,
    type: (types, collection) => aggregatedType(types.nameOf(collection), types.shape(collection)),
    args: (types, collection) => ({
      ...types.listArguments(collection),
      ...types.rootArguments(collection),
      ...groupArguments,
    }),
  },
  createOne: {
    kind: 'mutation',
    field: (name) => `create_${name}_item`,
    type: item,
    args: (types, collection) => ({ data: required(create(types, collection)) }),
  },
  createMany: {
    kind: 'mutation',
    field: (name) => `create_${name}_items`,
    type: list,
    args: (types, collection, lists) => {
      const data = listType(create(types, collection));
      return { data: lists === 'strict' ? required(data.type) : data };
    },
  },
  updateOne: {
    kind: 'mutation',
    field: (name) => `update_${name}_item`,
    type: item,
    args: (types, collection) => ({ id: ID, data: required(update(types, collection)) }),
  },
  updateMany: {
    kind: 'mutation',
    field: (name) => `update_${name}_items`,
    type: list,
    args: (types, collection, lists) => ({
      ...(lists === 'strict' ? { id: IDS } : { ids: ALTERNATIVE_IDS, id: ALTERNATIVE_IDS }),
      data: required(update(types, collection)),
    }),
  },
  updateBatch: {
    kind: 'mutation',
    field: (name) => `update_${name}_batch`,
    type: list,
    args: (types, collection) => ({ data: listType(update(types, collection)) }),
  },
  deleteOne: {
    kind: 'mutation',
    field: (name) => `delete_${name}_item`,
    type: () => DeletedOne,
    args: () => ({ id: ID }),
  },
  deleteMany: {
    kind: 'mutation',
    field: (name) => `delete_${name}_items`,
    type: () => DeletedMany,
    args: (_types, _collection, lists) => ({ ids: lists === 'strict' ? IDS : LENIENT_IDS }),
  },
  readSingleton: { kind: 'query', field: (name) => name, type: item },
  updateSingleton: {
    kind: 'mutation',
    field: (name) => `update_${name}`,
    type: item,
    args: (types, collection) => ({ data: required(update(types, collection)) }),
  },
} satisfies Record<string, OperationShape>;

export type OperationName = keyof typeof OPERATIONS;

export const OPERATION = 'doorward:operation';

/**
 * Makes a method of a class that extends `ItemsResolver` or `SingletonResolver` one of its operations:
 * `@Operation('createOne')`. Nest's `@Query('users')` would be a query of every GraphQL endpoint of the application;
 * this one belongs to its collection and endpoint.
 */
export const Operation = (name: OperationName): MethodDecorator => SetMetadata(OPERATION, name);

/** For an `ItemsResolver`: how its operations on many items declare their lists; `lenient` by default. */
export const DeclareLists = DiscoveryService.createDecorator<ListTypes>();

/** The schema of a resolver's own queries and mutations, at one of the two endpoints. */
interface TypeDefinitions {
  readonly endpoint: Endpoint;
  /** SDL; it may use the types of the endpoint's collections: `extend type Query { last_invoice: invoices }`. */
  readonly sdl: string;
}

/**
 * Declares the schema of a resolver's own `@Query('…')` and `@Mutation('…')` methods.
 *
 *     @Resolver()
 *     @TypeDefs({ endpoint: 'items', sdl: 'extend type Query { last_number: String! }' })
 *     export class NumbersResolver { … }
 */
export const TypeDefs = DiscoveryService.createDecorator<TypeDefinitions>();
