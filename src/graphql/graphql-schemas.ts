import { Injectable } from '@nestjs/common';
import {
  concatAST,
  extendSchema,
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLFieldMap,
  GraphQLObjectType,
  GraphQLSchema,
  isObjectType,
  parse,
  printSchema,
} from 'graphql';
import { Collections, RouteWalk } from '../collections';
import { RegistrationError } from '../common/schema';
import type { GraphqlContext } from './graphql-context';
import { type Endpoint, OPERATIONS, type OperationShape } from './operation';
import {
  type CollectionOperation,
  type NamedField,
  ResolverExplorer,
  ROOTS,
  type TypeDefinitions,
} from './resolver-explorer';
import { SchemaTypes } from './schema/schema-types';

type Fields = GraphQLFieldConfigMap<unknown, GraphqlContext>;

/** Builds the schemas of the two endpoints: the operations of their collections, and what resolvers add to them. */
@Injectable()
export class GraphqlSchemas {
  private readonly built = new Map<Endpoint, GraphQLSchema>();
  /** Printed on first use. */
  private readonly printed = new Map<Endpoint, string>();

  constructor(
    private readonly collections: Collections,
    private readonly explorer: ResolverExplorer,
    private readonly walk: RouteWalk,
  ) {}

  /**
   * @throws RegistrationError where two operations or types have the same name, a field of `Query`, `Mutation` or
   * a collection's type has no resolver, or a resolver no field
   */
  build(endpoint: Endpoint): GraphQLSchema {
    const definitions = this.explorer.typeDefs(endpoint);
    const mutates = definitions.some(({ sdl }) => /\bextend\s+type\s+Mutation\b/.test(sdl));
    const own = this.ofCollections(endpoint, mutates);
    const schema = extendedByAll(own, definitions);
    const fields = this.explorer.fields(endpoint);
    for (const field of fields) attach(schema, field);
    refuseUnresolved(schema, own);
    // Fields below an operation are guarded by their own resolvers.
    this.walk.check(fields.filter(({ type }) => ROOTS.includes(type)));
    this.built.set(endpoint, schema);
    return schema;
  }

  /** The schema that an endpoint serves. */
  of(endpoint: Endpoint): GraphQLSchema {
    return this.built.get(endpoint) ?? this.build(endpoint);
  }

  /** The same, in GraphQL's own language. */
  sdl(endpoint: Endpoint): string {
    const printed = this.printed.get(endpoint) ?? printSchema(this.of(endpoint));
    this.printed.set(endpoint, printed);
    return printed;
  }

  private ofCollections(endpoint: Endpoint, mutates: boolean): GraphQLSchema {
    const nameOf = endpoint === 'system' ? shortName : (name: string): string => name;
    const types = new SchemaTypes(this.collections.registry, nameOf);
    const fields: Record<OperationShape['kind'], Fields> = { query: {}, mutation: {} };
    for (const operation of this.explorer.operations(endpoint)) {
      const shape: OperationShape = OPERATIONS[operation.operation];
      const name = shape.field(nameOf(operation.collection));
      if (Object.hasOwn(fields[shape.kind], name)) throw duplicateOperation(name);
      fields[shape.kind][name] = fieldOf(operation, shape, types);
    }
    const { query, mutation } = fields;
    const empty = Object.keys(mutation).length === 0 && !mutates;
    try {
      return new GraphQLSchema({
        query: root('Query', Object.keys(query).length === 0 ? this.nothing() : query),
        mutation: empty ? null : root('Mutation', mutation),
      });
    } catch (error) {
      throw nameTaken(error);
    }
  }

  /** GraphQL requires a query; a schema without collections has one that explains this. */
  private nothing(): Fields {
    const { access, resolve } = this.explorer.placeholder();
    const description = 'No collection is registered here. Always null.';
    return { _empty: { type: GraphQLBoolean, description, extensions: { access }, resolve } };
  }
}

const PREFIX = /^service_/;
const shortName = (collection: string): string => collection.replace(PREFIX, '');

const root = (name: string, fields: Fields): GraphQLObjectType<unknown, GraphqlContext> =>
  new GraphQLObjectType({ name, fields });

function fieldOf(
  { collection, lists, access, resolve }: CollectionOperation,
  shape: OperationShape,
  types: SchemaTypes,
): GraphQLFieldConfig<unknown, GraphqlContext> {
  return {
    type: shape.type(types, collection),
    ...(shape.args && { args: shape.args(types, collection, lists) }),
    extensions: { access },
    resolve,
  };
}

/** All at once: each extension rebuilds the schema. */
function extendedByAll(
  schema: GraphQLSchema,
  definitions: readonly TypeDefinitions[],
): GraphQLSchema {
  try {
    const documents = definitions.map(({ sdl }) => parse(sdl, { noLocation: true }));
    return extendSchema(schema, concatAST(documents));
  } catch {
    // One after the other, to find the faulty one.
    return definitions.reduce(extended, schema);
  }
}

function extended(schema: GraphQLSchema, { owner, sdl }: TypeDefinitions): GraphQLSchema {
  try {
    return extendSchema(schema, parse(sdl, { noLocation: true }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new RegistrationError(`The SDL of ${owner} does not fit the schema: ${reason}`, {
      cause: error,
    });
  }
}

function attach(schema: GraphQLSchema, { type, field, place, access, resolve }: NamedField): void {
  const owner = schema.getType(type);
  const found = isObjectType(owner) ? owner.getFields()[field] : undefined;
  if (!found) {
    throw new RegistrationError(
      `${place} resolves ${type}.${field}, which is not in its SDL: add it to the class's @TypeDefs.`,
    );
  }
  if (found.resolve) throw duplicateOperation(field);
  found.resolve = resolve;
  found.extensions = { ...found.extensions, access };
}

/** The types of collections have columns for their own fields; what is added to them needs a resolver. */
function refuseUnresolved(schema: GraphQLSchema, own: GraphQLSchema): void {
  for (const { name: type } of Object.values(own.getTypeMap())) {
    const ownFields = fieldsOf(own, type);
    const isRoot = ROOTS.includes(type);
    for (const [name, { resolve }] of Object.entries(fieldsOf(schema, type))) {
      if (resolve || (!isRoot && Object.hasOwn(ownFields, name))) continue;
      const decorator = isRoot ? type : 'ResolveField';
      throw new RegistrationError(
        `${type}.${name} has no resolver: add a method with @${decorator}('${name}').`,
      );
    }
  }
}

function fieldsOf(schema: GraphQLSchema, name: string): GraphQLFieldMap<unknown, unknown> {
  const type = schema.getType(name);
  return isObjectType(type) ? type.getFields() : {};
}

const duplicateOperation = (name: string): RegistrationError =>
  new RegistrationError(
    `Two GraphQL operations are called ${name}: rename a collection or an operation.`,
  );

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
