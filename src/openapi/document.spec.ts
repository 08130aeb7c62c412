import { countTurns } from '../common/count-turns.spec-support';
import type { ListedRoute } from '../collections';
import type { CollectionShape } from '../engine';
import type { DescribedRoute } from './described-routes';
import { openApiDocument } from './document';
import type { CollectionRights } from './collection-rights';
import { PLAIN_PATHS } from './served-paths';

const COLLECTIONS = 100;

const parts = {
  version: '1.0.0',
  settings: {
    queryLimitDefault: 100,
    queryLimitMax: 1000,
    graphqlIntrospection: true,
    userRequiredFields: [],
  },
  served: PLAIN_PATHS,
};

const rights: ReadonlyMap<string, CollectionRights> = new Map(
  Array.from({ length: COLLECTIONS }, (_, at) => {
    const collection = { name: `collection_${at}` } as CollectionShape;
    return [collection.name, { collection, read: [] }];
  }),
);

it('Other requests get their turns while a document of many collections is built', async () => {
  const made: { document?: Awaited<ReturnType<typeof openApiDocument>> } = {};
  const turns = await countTurns(async () => {
    made.document = await openApiDocument({ ...parts, routes: [], rights });
  });
  expect(turns).toBeGreaterThan(3);
  expect(made.document?.['components']).toMatchObject({
    schemas: { [`collection_${COLLECTIONS - 1}`]: { type: 'object', properties: {} } },
  });
});

it('Paths of the same words get operation ids of their own', async () => {
  const described = (path: string): DescribedRoute => ({
    route: {
      verb: 'GET',
      paths: [path],
      type: Reader,
      name: 'read',
      parameters: [],
    } as Partial<ListedRoute> as ListedRoute,
    description: { kind: 'named', summary: 'Read it' },
  });
  const routes = ['/items/a/:id', '/items/a_id', '/items/a/id'].map(described);
  const { paths } = await openApiDocument({ ...parts, routes, rights: new Map() });
  expect(paths).toMatchObject({
    '/items/a/{id}': { get: { operationId: 'get_items_a_id' } },
    '/items/a_id': { get: { operationId: 'get_items_a_id_2' } },
    '/items/a/id': { get: { operationId: 'get_items_a_id_3' } },
  });
});

class Reader {
  read(): void {}
}
