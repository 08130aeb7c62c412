import type { ListedRoute } from '../collections';
import { inTurns } from '../common/next-turn';
import type { Description, JsonSchema } from '../common/request/describe.decorator';
import { ENDPOINTS } from '../graphql';
import { collectionSchemas } from './collection-schemas';
import type { Deployment } from './deployment';
import { collectionOf, type DescribedRoute } from './described-routes';
import { graphqlPaths } from './graphql-paths';
import { isOpenTo, itemsParts } from './items-operation';
import { namedOperation, operationOf } from './operation';
import { parameterComponents } from './parameters';
import { responseComponents } from './responses';
import { keySchema } from './schema-refs';
import type { Sight, Sights } from './sight';
import { tagsOf } from './tags';

interface DocumentParts {
  /** The routes that the caller may know of. */
  readonly routes: readonly DescribedRoute[];
  readonly sights: Sights;
  readonly version: string;
  readonly deployment: Deployment;
}

/** Routes, or collections, described before the event loop is released: each takes some tenths of a millisecond. */
const AT_ONCE = 20;

/** An OpenAPI 3.1 document. Its server is relative to the document, since a proxy may serve it below a path. */
export async function openApiDocument({
  routes,
  sights,
  version,
  deployment,
}: DocumentParts): Promise<JsonSchema> {
  const paths = { ...(await pathsOf(routes, sights)), ...graphqlPaths(ENDPOINTS, deployment) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Doorward',
      version,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '../..' }],
    security: [{}, { token: [] }, { session: [] }],
    tags: tagsOf(Object.keys(paths)),
    paths,
    components: {
      securitySchemes: SECURITY,
      parameters: parameterComponents(deployment),
      responses: responseComponents(),
      schemas: await collectionSchemas(sights, deployment, AT_ONCE),
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

async function pathsOf(routes: readonly DescribedRoute[], sights: Sights): Promise<Paths> {
  const paths: Paths = {};
  await inTurns(routes, AT_ONCE, ({ route, description }) => {
    for (const written of route.paths) {
      const path = written.replaceAll(/:(\w+)/g, '{$1}');
      const operation = ofRoute(route, path, { description, sights });
      if (!operation) continue;
      const item = (paths[path] ??= itemOf(path, route, { description, sights }));
      item[route.verb.toLowerCase()] ??= operation;
    }
  });
  return paths;
}

interface Surroundings {
  readonly description: Description;
  readonly sights: Sights;
}

function ofRoute(
  route: ListedRoute,
  path: string,
  { description, sights }: Surroundings,
): JsonSchema | undefined {
  if (description.kind === 'named') return namedOperation(route, path, description, sights);
  if (description.kind === 'none') return undefined;
  const sight = sights.get(collectionOf(route) ?? '');
  if (!sight || !isOpenTo(sight, description.operation)) return undefined;
  return operationOf(route, path, itemsParts(sight, description.operation, sights));
}

/** What the methods of a path share. */
function itemOf(path: string, route: ListedRoute, surroundings: Surroundings): Paths[string] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  if (names.length === 0) return {};
  const parameters = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: parameterSchema(name, route, surroundings),
  }));
  return { parameters };
}

function parameterSchema(
  name: string,
  route: ListedRoute,
  { description, sights }: Surroundings,
): JsonSchema {
  if (description.kind === 'named') return description.path?.[name] ?? { type: 'string' };
  const sight: Sight | undefined = sights.get(collectionOf(route) ?? '');
  return sight && name === 'id' ? keySchema(sight.collection) : { type: 'string' };
}
