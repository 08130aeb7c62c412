import type { ListedRoute } from '../collections';
import { inTurns } from '../common/next-turn';
import type { Description, JsonSchema } from '../common/request/describe.decorator';
import { ENDPOINTS } from '../graphql';
import { collectionSchemas } from './collection-schemas';
import type { DocumentSettings } from './document-settings';
import { collectionOf, type DescribedRoute } from './described-routes';
import { graphqlPaths } from './graphql-paths';
import { isOpenTo, itemsParts } from './items-operation';
import { namedOperation, operationOf } from './operation';
import { parameterComponents } from './parameters';
import { responseComponents } from './responses';
import { keySchema } from './schema-refs';
import type { CollectionRights, Rights } from './collection-rights';
import type { ServedPaths } from './served-paths';
import { tagOf, tagsOf } from './tags';

interface DocumentParts {
  /** The routes that the caller may know of. */
  readonly routes: readonly DescribedRoute[];
  readonly rights: Rights;
  readonly version: string;
  readonly settings: DocumentSettings;
  readonly served: ServedPaths;
}

/** Routes, or collections, described before the event loop is released: each takes some tenths of a millisecond. */
const PER_TURN = 20;

/** An OpenAPI 3.1 document. Its server is relative to the document, since a proxy may serve it below a path. */
export async function openApiDocument({
  routes,
  rights,
  version,
  settings,
  served,
}: DocumentParts): Promise<JsonSchema> {
  const endpoints = Object.fromEntries(
    Object.entries(ENDPOINTS).map(([name, path]) => [name, served.ofEndpoint(path)]),
  );
  const { paths, written } = await pathsOf(routes, rights, served);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Doorward',
      version,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: served.server }],
    security: [{}, { token: [] }, { session: [] }],
    tags: tagsOf([...written, ...Object.values(ENDPOINTS)]),
    paths: { ...paths, ...graphqlPaths(endpoints, settings) },
    components: {
      securitySchemes: SECURITY,
      parameters: parameterComponents(settings),
      responses: responseComponents(),
      schemas: await collectionSchemas(rights, settings, PER_TURN),
    },
  };
}

const INTRODUCTION =
  'What you may do here: for each collection, what the rules allow you; once you are signed in, it may be more.';

const SECURITY = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token, or a static token of your own.',
  },
  session: { type: 'apiKey', in: 'cookie', name: 'service_session_token' },
};

type Paths = Record<string, Record<string, unknown>>;

interface DescribedPaths {
  readonly paths: Paths;
  /** The paths as the routes declare them, without prefix and version. */
  readonly written: ReadonlySet<string>;
}

async function pathsOf(
  routes: readonly DescribedRoute[],
  rights: Rights,
  served: ServedPaths,
): Promise<DescribedPaths> {
  const paths: Paths = {};
  const ids = new Set<string>();
  const written = new Set<string>();
  await inTurns(routes, PER_TURN, ({ route, description }) => {
    const context = { description, rights };
    const operation = operationFor(route, context);
    if (!operation) return;
    const verb = route.verb.toLowerCase();
    for (const declared of route.paths) {
      written.add(declared);
      for (const path of served.of(route, declared).map(withBraces)) {
        const item = (paths[path] ??= pathItemOf(path, route, context));
        item[verb] ??= {
          operationId: uniqueId(verb, path, ids),
          tags: [tagOf(declared)],
          ...operation,
        };
      }
    }
  });
  return { paths, written };
}

/** Two paths may give the same words, such as `/items/a/{id}` and that of a collection `a_id`: one is numbered. */
function uniqueId(verb: string, path: string, taken: Set<string>): string {
  const id = `${verb}${path.replaceAll(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')}`;
  let unique = id;
  for (let number = 2; taken.has(unique); number++) unique = `${id}_${number}`;
  taken.add(unique);
  return unique;
}

const withBraces = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

interface RouteContext {
  readonly description: Description;
  readonly rights: Rights;
}

function operationFor(
  route: ListedRoute,
  { description, rights }: RouteContext,
): JsonSchema | undefined {
  if (description.kind === 'named') return namedOperation(route, description, rights);
  if (description.kind === 'none') return undefined;
  const granted = rights.get(collectionOf(route) ?? '');
  if (!granted || !isOpenTo(granted, description.operation)) return undefined;
  return operationOf(route, itemsParts(granted, description.operation, rights));
}

/** What the methods of a path share. */
function pathItemOf(path: string, route: ListedRoute, context: RouteContext): Paths[string] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  if (names.length === 0) return {};
  const parameters = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: parameterSchema(name, route, context),
  }));
  return { parameters };
}

function parameterSchema(
  name: string,
  route: ListedRoute,
  { description, rights }: RouteContext,
): JsonSchema {
  if (description.kind === 'named') return description.path?.[name] ?? { type: 'string' };
  const granted: CollectionRights | undefined = rights.get(collectionOf(route) ?? '');
  return granted && name === 'id' ? keySchema(granted.collection) : { type: 'string' };
}
