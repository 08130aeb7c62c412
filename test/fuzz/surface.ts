import { ModulesContainer } from '@nestjs/core';
import { GraphQLModule, GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLArgument, GraphQLSchema } from 'graphql';
import type { CollectionShape } from '../../src/engine';
import { CollectionRegistry } from '../../src/repository';
import type { TestApp } from '../support';

export interface Route {
  readonly method: string;
  /** `/users/:id`. */
  readonly path: string;
  /** The collection of the route, by its path. */
  readonly collection: CollectionShape | undefined;
  /** The arguments of the corresponding GraphQL operation: members that its body may have. */
  readonly twin: readonly GraphQLArgument[] | undefined;
}

export interface Endpoint {
  readonly path: string;
  readonly schema: GraphQLSchema;
}

/** All routes and operations of the running application, by its own description. */
export interface Surface {
  readonly routes: readonly Route[];
  readonly endpoints: readonly Endpoint[];
  readonly collections: readonly CollectionShape[];
  readonly shapes: ReadonlyMap<string, CollectionShape>;
  /** Names with a meaning: fields, arguments, parts of paths. */
  readonly words: readonly string[];
  /** The keys of stored rows, by collection, in the order in which they were stored. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

export async function surfaceOf(app: TestApp): Promise<Surface> {
  const registry = app.app.get(CollectionRegistry);
  const collections = [...registry.all()];
  const endpoints = endpointsOf(app);
  const routes = routesOf(app, registry, endpoints);
  const keys = new Map<string, readonly string[]>();
  for (const { name, key } of collections) {
    const { table } = registry.table(name);
    const rows = await app.database.query<{ key: unknown }>(
      `SELECT "${key}"::text AS key FROM ${table} ORDER BY ctid`,
    );
    keys.set(
      name,
      rows.map((row) => String(row.key)),
    );
  }
  const shapes = new Map(collections.map((shape) => [shape.name, shape]));
  return { routes, endpoints, collections, shapes, keys, words: wordsOf(routes, collections) };
}

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Record<string, boolean> };
}

function routesOf(app: TestApp, registry: CollectionRegistry, endpoints: Endpoint[]): Route[] {
  const express = app.app.getHttpAdapter().getInstance() as unknown as {
    router: { stack: Layer[] };
  };
  return express.router.stack.flatMap(({ route }) => {
    if (!route) return [];
    const segments = route.path.split('/').filter((part) => part !== '' && !part.startsWith(':'));
    const collection = segments
      .map((part) => registry.get(part) ?? registry.get(`service_${part}`))
      .find((found) => found !== undefined);
    const twin = twinOf(segments.join('_').replaceAll('-', '_'), endpoints);
    return Object.keys(route.methods)
      .filter((method) => method !== '_all')
      .map((method) => ({ method: method.toUpperCase(), path: route.path, collection, twin }));
  });
}

function twinOf(name: string, endpoints: Endpoint[]): readonly GraphQLArgument[] | undefined {
  const found = endpoints.flatMap(({ schema }) =>
    [schema.getMutationType(), schema.getQueryType()].flatMap(
      (root) => root?.getFields()[name] ?? [],
    ),
  );
  return found[0]?.args;
}

function endpointsOf({ app }: TestApp): Endpoint[] {
  return [...app.get(ModulesContainer).values()].flatMap((module) => {
    const { instance } = [...module.providers.values()].find(
      ({ metatype }) => metatype === GraphQLModule,
    ) ?? { instance: undefined };
    const host = module.providers.get(GraphQLSchemaHost)?.instance as GraphQLSchemaHost | undefined;
    if (!(instance instanceof GraphQLModule) || !host) return [];
    const { path = '/graphql' } = instance['options'] as { path?: string };
    return [{ path, schema: host.schema }];
  });
}

/** The route table has no query parameters, so they are listed here. */
const PARAMETERS = ['fields', 'filter', 'search', 'sort', 'limit', 'offset', 'page', 'meta'];

function wordsOf(routes: readonly Route[], collections: readonly CollectionShape[]): string[] {
  return [
    ...new Set([
      ...PARAMETERS,
      ...['keys', 'data', 'query', 'alias', 'deep', 'aggregate', 'groupBy'],
      ...routes.flatMap(({ path }) => path.split('/').filter((part) => /^\w+$/.test(part))),
      ...routes.flatMap(({ twin }) => (twin ?? []).map(({ name }) => name)),
      ...collections.flatMap(({ fields }) => [...fields.keys()]),
    ]),
  ];
}
