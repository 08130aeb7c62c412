import type { World } from '../../factories';
import { until } from '../../support';
import { playIn } from '../../support/scenarios';
import { scenarios } from './soft-delete.cases';
import { FILES, heard, openFolders } from './soft-delete.fixtures';

let world: World;
const open = async (): Promise<World> => (world = await openFolders());

playIn({ open, scenarios });

it('is grouped and counted without deleted items, unless they are asked for', async () => {
  const counted = async (more: string) =>
    (await world.as('ann').get(`/items/folders?aggregate[count]=*${more}`)).body;
  expect(await counted('')).toEqual({ data: [{ count: 3 }] });
  expect(await counted('&deleted=only')).toEqual({ data: [{ count: 3 }] });
  expect(await counted('&deleted=with')).toEqual({ data: [{ count: 6 }] });
  const query = '{ folders_aggregated(deleted: with) { countAll } }';
  const { body } = await world.as('ann').post('/graphql', { query });
  expect(body).toEqual({ data: { folders_aggregated: [{ countAll: 6 }] } });
});

it('is a delete to hooks and in the log, with all rows deleted along with it', async () => {
  heard.length = 0;
  await world.as('ann').delete('/items/folders/1');
  // Hooks after the commit do not delay the answer.
  await until(() => heard.length > 2);
  expect(heard).toEqual(['before delete 1', 'after delete 1', 'committed delete 1']);
  const { body } = await world
    .as('admin')
    .get('/activity?sort=-id&limit=5&fields=action,collection,item,before');
  const { data } = body as { data: { before: object }[] };
  expect(
    data.map((each) => ({ ...each, before: each.before && Object.keys(each.before).length > 0 })),
  ).toEqual(
    expect.arrayContaining([
      { action: 'delete', collection: 'folders', item: '1', before: true },
      { action: 'delete', collection: 'folders', item: '3', before: true },
      { action: 'delete', collection: 'files', item: FILES.a, before: true },
      { action: 'delete', collection: 'pins', item: '1', before: true },
      { action: 'update', collection: 'pins', item: '2', before: true },
    ]),
  );
  await world.restore();
});

it('leaves no comment on a deleted item, however many are deleted along with it', async () => {
  const rows = await world.app.database.query<{ id: string }>(
    `INSERT INTO files (id, name, folder) SELECT gen_random_uuid(), 'many', 1 FROM generate_series(1, 2600) RETURNING id`,
  );
  const admin = world.as('admin');
  const [first, last] = [rows, rows.toReversed()].map(([row]) => row?.id);
  const items = [
    first,
    last,
    ...rows
      .map(({ id }) => id)
      .toSorted()
      .slice(-1),
  ];
  for (const item of items) {
    const sent = { collection: 'files', item, comment: 'Soon gone' };
    expect((await admin.post('/comments', sent)).status).toBe(200);
  }
  expect((await world.as('ann').delete('/items/folders/1')).status).toBe(204);
  expect((await admin.get('/comments')).data).toEqual([]);
  await world.restore();
});

it('changes only the time of its deletion, directly or along with another', async () => {
  const shown = 'version,changed_at,changed_by';
  const files = async (more: string): Promise<unknown[]> =>
    (await world.as('ann').get(`/items/files?fields=id,${shown}&sort=id${more}`)).data as never;
  for (const id of [FILES.a, FILES.c]) {
    await world.as('ann').patch(`/items/files/${id}`, { name: 'new' });
  }
  const before = await files('');
  await world.as('ann').delete(`/items/files/${FILES.c}`);
  await world.as('ann').delete('/items/folders/1');
  expect(await files('')).toEqual([]);
  expect(await files(`&deleted=only&filter={"name":{"_eq":"new"}}`)).toEqual(before);
  expect(before).toMatchObject([{ version: 2 }, { version: 2 }]);
  for (const version of [2, 3]) {
    const { codes } = await world.as('ann').patch(`/items/files/${FILES.c}`, { version });
    expect(codes).toEqual(['FORBIDDEN']);
  }
  await world.restore();
});

it('leaves no item that refers to a deleted one if both requests come at once', async () => {
  const client = world.as('ann');
  for (let round = 0; round < 12; round++) {
    const { data } = await client.post('/items/folders', { name: `Round ${round}` });
    const folder = data['id'];
    const filing = { name: 'late', folder, home: folder };
    const [filed, left] = await Promise.all([
      client.post('/items/files', filing),
      client.delete(`/items/folders/${String(folder)}`),
    ]);
    expect([200, 400]).toContain(filed.status);
    expect(left.status).toBe(204);
  }
  const found = await world.app.database.query(
    `SELECT 1 FROM files JOIN folders ON folders.id = files.folder
      WHERE gone IS NULL AND deleted_at IS NOT NULL AND files.name = 'late'`,
  );
  expect(found).toEqual([]);
  await world.restore();
});

it('accepts no preset for the time of the deletion', async () => {
  const reply = await world.as('admin').post('/permissions', {
    policy: world.id('keeping'),
    collection: 'folders',
    action: 'create',
    presets: { deleted_at: '$NOW' },
  });
  expect([reply.status, reply.text]).toEqual([
    400,
    expect.stringContaining('takes no preset: rules do not write it'),
  ]);
});

it('describes the field for the time of the deletion as read-only', async () => {
  const { data } = await world.as('admin').get('/fields/folders/deleted_at');
  expect(data).toMatchObject({ type: 'timestamp', meta: { readonly: true }, write_once: false });
});

it('keeps names unique among live items by an index that migrations also create', async () => {
  const rows = await world.app.database.query<{ indexdef: string }>(
    `SELECT indexdef FROM pg_indexes WHERE tablename IN ('folders', 'files') AND indexdef LIKE '%WHERE%' ORDER BY 1`,
  );
  expect(rows.map(({ indexdef }) => indexdef.replace(/ USING btree|public\./g, ''))).toEqual([
    'CREATE INDEX ix_some_files_gone ON files (gone) WHERE (gone IS NOT NULL)',
    'CREATE INDEX ix_some_folders_deleted_at ON folders (deleted_at) WHERE (deleted_at IS NOT NULL)',
    'CREATE UNIQUE INDEX ix_some_files_home ON files (home) WHERE (gone IS NULL)',
    'CREATE UNIQUE INDEX ix_some_folders_name ON folders (name) WHERE (deleted_at IS NULL)',
  ]);
  const { upQueries } = await world.app.dataSource.driver.createSchemaBuilder().log();
  expect(
    upQueries.map(({ query }) => query).filter((query) => /INDEX.*(folders|files)/.test(query)),
  ).toEqual([]);
});
