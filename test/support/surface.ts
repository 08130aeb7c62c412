import {
  getNamedType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import type { TestApp } from './start-test-app';

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Record<string, boolean> };
  readonly name: string;
}

/** Every route of the running application, from its own table, such as `GET /users/:id`. */
export function routesOf({ app }: Pick<TestApp, 'app'>): string[] {
  const express = app.getHttpAdapter().getInstance() as unknown as {
    router: { stack: Layer[] };
  };
  return express.router.stack.flatMap(({ route }) =>
    route
      ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`)
      : [],
  );
}

/** Every operation of the schema, with its kind. */
export const operationsOf = (
  schema: GraphQLSchema,
): { kind: 'query' | 'mutation'; name: string }[] =>
  (['query', 'mutation'] as const).flatMap((kind) => {
    const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
    return Object.keys(root?.getFields() ?? {}).map((name) => ({ kind, name }));
  });

/** `users_by_id(id: "x") { __typename }`: an operation with a value for every required argument. */
export function callOf(schema: GraphQLSchema, kind: 'query' | 'mutation', name: string): string {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  const field = root?.getFields()[name];
  if (!field) throw new Error(`No operation ${name}`);
  const alternative = field.args.find(({ extensions }) => extensions['alternative'] === true);
  const args = field.args
    .filter((arg) => isNonNullType(arg.type) || arg === alternative)
    .map((arg) => `${arg.name}: ${literalOf(arg.type)}`);
  const shown = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
  return `${name}${args.length > 0 ? `(${args.join(', ')})` : ''}${shown}`;
}

function literalOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literalOf(type.ofType);
  if (isListType(type)) return `[${literalOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return `{ ${fields.map((field) => `${field.name}: ${literalOf(field.type)}`).join(', ')} }`;
  }
  return isScalarType(type) && ['Int', 'Float'].includes(type.name) ? '1' : '"x"';
}
