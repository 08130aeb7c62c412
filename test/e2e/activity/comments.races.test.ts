import { type SeedData, comment, read, type World } from '../../factories';
import { openSampleWorld } from '../../security/items/sample-world';
import { type Reply, replyAfterWait, describeOnPostgres } from '../../support';
import { openFolders } from '../extension/soft-delete.fixtures';

const SEED: SeedData = {
  policies: {
    commenting: [read('articles', ['title']), comment('articles', ['*'])],
  },
  users: { cat: { policies: ['commenting'] } },
};

let world: World;

const asRest = (caller: string, data: object): Promise<Reply> =>
  world.as(caller).post('/comments', data);
const asGraphql = (caller: string, data: object): Promise<Reply> =>
  world.as(caller).post('/graphql/system', {
    query: 'mutation ($data: create_comments_input!) { create_comments_item(data: $data) { id } }',
    variables: { data },
  });

const stored = (): Promise<unknown[]> => world.app.database.query('SELECT * FROM service_comments');

// The embedded database has one connection: there, nothing waits for anything else.
describeOnPostgres('A comment on a row that another request is deleting', () => {
  describe('for good', () => {
    beforeAll(async () => {
      world = await openSampleWorld(SEED);
    }, 120_000);
    afterAll(() => world.app.close());

    it.each([
      ['REST', 'cat', 1, asRest],
      ['REST', 'admin', 2, asRest],
      ['GraphQL', 'cat', 4, asGraphql],
    ] as const)('is refused: over %s, of %s', async (_, caller, id, send) => {
      const { codes } = await replyAfterWait(
        world.app.database,
        (tx) => tx.query('DELETE FROM articles WHERE id = $1', [id]),
        () => send(caller, { collection: 'articles', item: String(id), comment: 'Too late' }),
      );
      expect(codes).toEqual(['FORBIDDEN']);
      expect(await stored()).toEqual([]);
    });
  });

  describe('and keeping it as deleted', () => {
    beforeAll(async () => {
      world = await openFolders();
    }, 120_000);
    afterAll(() => world.app.close());

    it('is refused', async () => {
      const { codes } = await replyAfterWait(
        world.app.database,
        async (tx) => {
          await tx.query('SELECT 1 FROM folders WHERE id = 1 FOR UPDATE');
          await tx.query('UPDATE folders SET deleted_at = now() WHERE id = 1');
        },
        () => asRest('admin', { collection: 'folders', item: '1', comment: 'Too late' }),
      );
      expect(codes).toEqual(['FORBIDDEN']);
      expect(await stored()).toEqual([]);
    });
  });
});
