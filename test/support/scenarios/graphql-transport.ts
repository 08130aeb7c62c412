import type { GraphQLSchema } from 'graphql';
import { Collections } from '../../../src/collections';
import { GraphqlSchemas } from '../../../src/graphql';
import { RulesCache } from '../../../src/rules';
import { namedFields } from '../../../src/engine';
import type { World } from '../../factories';
import type { Reply } from '../clients';
import {
  asRest,
  fieldsTree,
  type Granted,
  type IsNumberKey,
  objectType,
  renderSelection,
} from './graphql-selection';
import type { Transport, Fault, Outcome, Scenario } from './scenario';

/** What GraphQL cannot express: writes that select rows by a query, counts with a list, aliases. */
const REST_ONLY = ['updateWhere', 'deleteWhere'];
const REST_ONLY_PARAMETERS = ['meta', 'alias', 'deep'];

type Scope = 'system' | 'items';

const schemas: Readonly<Record<Scope, WeakMap<World, GraphQLSchema>>> = {
  system: new WeakMap(),
  items: new WeakMap(),
};

function schemaOf(world: World, scope: Scope): GraphQLSchema {
  const schema =
    schemas[scope].get(world) ?? world.app.app.get(GraphqlSchemas, { strict: false }).build(scope);
  schemas[scope].set(world, schema);
  return schema;
}

const scopeOf = (collection: string): Scope =>
  collection.startsWith('service_') ? 'system' : 'items';

export const graphqlTransport: Transport = {
  name: 'GraphQL',
  serves: ({ operation, query = {}, restOnly }) =>
    restOnly === undefined &&
    !REST_ONLY.includes(operation) &&
    !Object.keys(query).some((name) => REST_ONLY_PARAMETERS.includes(name)),
  async run(world: World, scenario: Scenario): Promise<Outcome> {
    const scope = scopeOf(scenario.collection);
    const schema = schemaOf(world, scope);
    const filled = world.fill(scenario);
    const request = render(filled, schema, await grantedTo(world, filled.caller, scope));
    const path = scope === 'system' ? '/graphql/system' : '/graphql';
    const reply = await world.as(scenario.caller).post(path, request);
    return readOutcome(reply, filled, schema, numberKeys(world, scope));
  },
};

function numberKeys(world: World, scope: Scope): IsNumberKey {
  const { registry } = world.app.app.get(Collections, { strict: false });
  return (type, field) => {
    const collection = registry.get(scope === 'system' ? `service_${type}` : type);
    const shape = collection?.fields.get(field);
    return collection?.key === field && shape?.kind === 'column' && shape.type === 'integer';
  };
}

const shortName = (collection: string): string => collection.replace(/^service_/, '');

async function grantedTo(world: World, name: string | null, scope: Scope): Promise<Granted> {
  const rules = world.app.app.get(RulesCache, { strict: false });
  const user = name === null ? null : String(world.id(name));
  const caller = await rules.callerFor({ user, session: null, ip: '127.0.0.1' });
  return (type) => {
    const collection = scope === 'system' ? `service_${type}` : type;
    const decision = caller?.decide('read', collection);
    const named = decision ? namedFields(decision) : new Set<string>();
    return named === '*' ? [...(decision?.collection.fields.keys() ?? [])] : [...named];
  };
}

interface Rendered {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Argument {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

function render(scenario: Scenario, schema: GraphQLSchema, granted: Granted): Rendered {
  const name = shortName(scenario.collection);
  const { kind, field, args, selects } = operationOf(scenario, name);
  const type = objectType(schema, name);
  const selection =
    selects ?? renderSelection(fieldsTree(scenario.query?.fields ?? ['*']), type, granted);
  const declared = args.map(({ name: each, type: of }) => `$${each}: ${of}`).join(', ');
  const given = args.map(({ name: each }) => `${each}: $${each}`).join(', ');
  const [head, call] = args.length === 0 ? ['', ''] : [`(${declared})`, `(${given})`];
  return {
    query: `${kind} Played${head} { ${field}${call} { ${selection} } }`,
    variables: Object.fromEntries(args.map(({ name: each, value }) => [each, value])),
  };
}

interface Operation {
  readonly kind: 'query' | 'mutation';
  readonly field: string;
  readonly args: readonly Argument[];
  readonly selects?: string;
}

function operationOf(scenario: Scenario, name: string): Operation {
  const id = (value: unknown): Argument => ({ name: 'id', type: 'ID!', value });
  const data = (type: string, value: unknown): Argument => ({ name: 'data', type, value });
  const [create, update] = [`create_${name}_input`, `update_${name}_input`];
  switch (scenario.operation) {
    case 'list':
    case 'search':
      return { kind: 'query', field: name, args: listArguments(scenario, name) };
    case 'one':
      return {
        kind: 'query',
        field: `${name}_by_id`,
        args: [id(scenario.id), ...listArguments(scenario, name)],
      };
    case 'create':
      return {
        kind: 'mutation',
        field: `create_${name}_item`,
        args: [data(`${create}!`, scenario.data)],
      };
    case 'createMany':
      return {
        kind: 'mutation',
        field: `create_${name}_items`,
        args: [data(`[${create}!]!`, scenario.data)],
      };
    case 'update':
      return {
        kind: 'mutation',
        field: `update_${name}_item`,
        args: [id(scenario.id), data(`${update}!`, scenario.data)],
      };
    case 'updateMany': {
      const ids = { name: 'id', type: '[ID!]!', value: scenario.ids };
      return {
        kind: 'mutation',
        field: `update_${name}_items`,
        args: [ids, data(`${update}!`, scenario.data)],
      };
    }
    case 'updateEach':
      return {
        kind: 'mutation',
        field: `update_${name}_batch`,
        args: [data(`[${update}!]!`, scenario.data)],
      };
    case 'delete':
      return {
        kind: 'mutation',
        field: `delete_${name}_item`,
        args: [id(scenario.id)],
        selects: 'id',
      };
    case 'deleteMany': {
      const ids = { name: 'ids', type: '[ID!]!', value: scenario.ids };
      return { kind: 'mutation', field: `delete_${name}_items`, args: [ids], selects: 'ids' };
    }
    case 'readSingleton':
      return { kind: 'query', field: name, args: [] };
    case 'updateSingleton':
      return {
        kind: 'mutation',
        field: `update_${name}`,
        args: [data(`${update}!`, scenario.data)],
      };
    case 'updateWhere':
    case 'deleteWhere':
      throw new Error(`${scenario.operation} is possible over REST only`);
  }
}

const LIST_TYPES: Readonly<Record<string, string>> = {
  search: 'String',
  sort: '[String]',
  limit: 'Int',
  offset: 'Int',
  page: 'Int',
  deleted: 'deleted_mode',
};

const listArguments = ({ query = {} }: Scenario, name: string): Argument[] =>
  Object.entries(query)
    .filter(([parameter]) => parameter !== 'fields')
    .map(([parameter, value]) => ({
      name: parameter,
      type: LIST_TYPES[parameter] ?? `${name}_filter`,
      value: value as unknown,
    }));

interface GraphqlError {
  readonly path?: readonly unknown[];
  readonly extensions: Fault;
}

function readOutcome(
  reply: Reply,
  scenario: Scenario,
  schema: GraphQLSchema,
  isNumberKey: IsNumberKey,
): Outcome {
  const { data, errors = [] } = reply.body as {
    readonly data?: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly GraphqlError[];
  };
  // An executed operation is answered with 200, whatever its result.
  if (data !== undefined) expect(reply.status).toBe(200);
  else expect(reply.status).toBe(400);
  const answered = Object.values(data ?? {})[0] ?? undefined;
  const tree = fieldsTree(scenario.query?.fields ?? ['*']);
  const type = objectType(schema, shortName(scenario.collection));
  const deleted = scenario.operation.startsWith('delete');
  return {
    faults: faultsOf(errors, scenario),
    data: deleted || answered === undefined ? undefined : asRest(answered, tree, type, isNumberKey),
    meta: undefined,
    text: reply.text,
  };
}

/**
 * What the schema itself refuses, such as an unknown name or a value of the wrong type, is refused before the service
 * sees it, with a different code and without the details that the service would give.
 */
function faultsOf(errors: readonly GraphqlError[], { refused }: Scenario): readonly Fault[] {
  const bySchema = errors.length > 0 && errors.every(({ path }) => path === undefined);
  if (!bySchema || refused === undefined) return errors.map(({ extensions }) => extensions);
  const codes = ['INVALID_QUERY', 'INVALID_PAYLOAD'];
  expect(errors.every(({ extensions }) => codes.includes(extensions.code))).toBe(true);
  return typeof refused === 'string' ? [{ code: refused }] : refused;
}
