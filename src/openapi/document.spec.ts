import { countTurns } from '../common/count-turns.spec-support';
import type { CollectionShape } from '../engine';
import { openApiDocument } from './document';
import type { CollectionRights } from './collection-rights';
import { PLAIN_PATHS } from './served-paths';

const COLLECTIONS = 100;

const settings = {
  queryLimitDefault: 100,
  queryLimitMax: 1000,
  graphqlIntrospection: true,
  userRequiredFields: [],
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
    const served = PLAIN_PATHS;
    made.document = await openApiDocument({
      routes: [],
      rights,
      version: '1.0.0',
      settings,
      served,
    });
  });
  expect(turns).toBeGreaterThan(3);
  expect(made.document?.['components']).toMatchObject({
    schemas: { [`collection_${COLLECTIONS - 1}`]: { type: 'object', properties: {} } },
  });
});
