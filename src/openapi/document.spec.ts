import type { CollectionShape } from '../engine';
import { openApiDocument } from './document';
import type { Sight } from './sight';

const COLLECTIONS = 100;

const sights: ReadonlyMap<string, Sight> = new Map(
  Array.from({ length: COLLECTIONS }, (_, at) => {
    const collection = { name: `collection_${at}` } as CollectionShape;
    return [collection.name, { collection, read: [] }];
  }),
);

it('Other requests have their turns while a document of many collections is made', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const document = await openApiDocument({ routes: [], sights, version: '1.0.0' });
  clearImmediate(next);
  expect(turns).toBeGreaterThan(3);
  expect(document['components']).toMatchObject({
    schemas: { [`collection_${COLLECTIONS - 1}`]: { type: 'object', properties: {} } },
  });
});
