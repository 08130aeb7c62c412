import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Request, Response } from 'express';
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
} from 'graphql';
import type { Who } from '../../engine';
import { Forbidden } from '../../common/errors';
import { admits } from '../../common/request/admits';
import { RegistrationError } from '../../common/schema';
import { Collections } from '../../collections/collections';
import type { ReadingBudget } from '../../repository/read/answer-budget';
import { collectionOperations } from './collection-operations';
import type { Operation, OperationResolver, SchemaScope } from './operation';
import { resolvedScope } from './resolves';
import { SchemaTypes } from './schema-types';

/** How much the queries of one request may be answered with: all of it is read and written out in one go. */
export interface AnswerBudget {
  /** What is read for them. */
  readonly reading: ReadingBudget;
  /** Refuses a list where those of the request might become too long. @param limit as it was asked for */
  takeRows(limit: unknown): void;
  /** Refuses an answer where those of the request become too large. */
  take(answer: unknown): void;
}

/** What every resolver is handed by the endpoint. */
export interface GraphqlContext {
  readonly request: Request;
  readonly response: Response;
  /** @param strict a bad token is refused, as on the REST routes that are not open to anyone */
  readonly caller: (strict: boolean) => Promise<Who>;
  readonly budget: AnswerBudget;
}

const SYSTEM = 'service_';

/** The service's own collections make one schema, under names without their prefix; the teams' make the other. */
export const scopeOf = (collection: string): SchemaScope =>
  collection.startsWith(SYSTEM) ? 'system' : 'items';

/** Makes the two GraphQL schemas from the registered collections and the operations that modules bring. */
@Injectable()
export class GraphqlSchemas {
  constructor(
    private readonly collections: Collections,
    private readonly modules: ModulesContainer,
  ) {}

  /** @throws RegistrationError where two operations or two types bear one name */
  build(scope: SchemaScope): GraphQLSchema {
    const operations = this.operations(scope);
    const of = (wanted: Operation['kind']): Operation[] =>
      operations.filter(({ kind }) => kind === wanted);
    const query = rootType('Query', of('query').length === 0 ? [NOTHING] : of('query'));
    const mutation = rootType('Mutation', of('mutation'));
    try {
      return new GraphQLSchema({ query, mutation });
    } catch (error) {
      throw nameTaken(error);
    }
  }

  /** Every operation of a schema, with what it demands of its caller. */
  operations(scope: SchemaScope): Operation[] {
    const { registry } = this.collections;
    const types = new SchemaTypes(registry, (name) =>
      scope === 'system' ? shortName(name) : name,
    );
    const generic = [...registry.all()]
      .filter(({ name }) => scopeOf(name) === scope)
      .flatMap((shape) => collectionOperations(shape, this.collections.service(shape.name), types));
    return [...generic, ...this.resolvers(scope).flatMap((resolver) => resolver.operations(types))];
  }

  private resolvers(scope: SchemaScope): OperationResolver[] {
    return [...this.modules.values()].flatMap((module) =>
      [...module.providers.values()]
        .filter(({ metatype }) => metatype && resolvedScope(metatype) === scope)
        .map(({ instance }) => instance as OperationResolver),
    );
  }
}

/** A schema must have a query; one without collections has none to offer, and says so. */
const NOTHING: Operation = {
  kind: 'query',
  name: '_empty',
  access: { kind: 'signed-in' },
  type: GraphQLBoolean,
  description: 'No collection is registered here. Always null.',
  resolve: () => null,
};

function nameTaken(error: unknown): unknown {
  const name = /multiple types named "(\w+)"/.exec(
    error instanceof Error ? error.message : '',
  )?.[1];
  if (name === undefined) return error;
  return new RegistrationError(
    `Two GraphQL types are called ${name}: rename a collection, or what it relates to.`,
    { cause: error },
  );
}

const shortName = (collection: string): string =>
  collection.startsWith(SYSTEM) ? collection.slice(SYSTEM.length) : collection;

function rootType(name: string, operations: readonly Operation[]): GraphQLObjectType | null {
  const fields: GraphQLFieldConfigMap<unknown, GraphqlContext> = {};
  for (const operation of operations) {
    if (Object.hasOwn(fields, operation.name)) {
      throw new RegistrationError(
        `Two GraphQL operations are called ${operation.name}: rename a collection or an operation.`,
      );
    }
    fields[operation.name] = rootField(operation);
  }
  return operations.length === 0 ? null : new GraphQLObjectType({ name, fields });
}

/** Refuses by what the operation says of itself, as the guard does for routes. */
function rootField(operation: Operation): GraphQLFieldConfig<unknown, GraphqlContext> {
  return {
    type: operation.type,
    ...(operation.description !== undefined && { description: operation.description }),
    ...(operation.args && { args: operation.args }),
    resolve: async (
      _source: unknown,
      args: Record<string, unknown>,
      { request, response, caller, budget }: GraphqlContext,
      info: GraphQLResolveInfo,
    ): Promise<unknown> => {
      const who = await caller(operation.access.kind !== 'public');
      if (!admits(operation.access, who, {})) throw new Forbidden({});
      const call = { who, args, info, request, response, budget: budget.reading };
      // What a mutation did is done, and is told.
      if (operation.kind === 'mutation') return operation.resolve(call);
      if (operation.args?.['limit']) budget.takeRows(args['limit']);
      const answer: unknown = await operation.resolve(call);
      budget.take(answer);
      return answer;
    },
  };
}
