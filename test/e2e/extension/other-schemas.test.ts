import { Collection, CollectionsModule, Field } from 'doorward';
import { create, read, remove, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('labels')
class Label {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
}

/** In a schema whose name has to be quoted, with every kind of relation out of it. */
@Collection('clients', { schema: 'CRM data' })
class Client {
  @Field.key('integer') id!: number;
  @Field.text({ unique: true }) name!: string;
  @Field.enum(['new', 'known'], { type: 'client_state' }) state!: string;
  @Field.toOne('labels', { nullable: true }) label!: number | null;
  @Field.toOne('clients', { nullable: true, onDelete: 'SET NULL' }) parent!: number | null;
  @Field.manyToMany('labels') labels!: number[];
  @Field.toMany('visits', 'client') visits!: number[];
  @Field.timestamp({ nullable: true, deletedAt: true }) deleted_at!: Date | null;
}

/** In the default schema, with a relation into the other one. */
@Collection('visits')
class Visit {
  @Field.key('integer') id!: number;
  @Field.text() place!: string;
  @Field.toOne('clients', { onDelete: 'CASCADE' }) client!: number;
}

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Label, Client, Visit])];
  world = await seed(await startTestApp({ imports, synchronize: true }), {
    policies: {
      sellers: ['labels', 'clients', 'visits'].flatMap((name) => [
        ...[read, create].map((rule) => rule(name, ['*'])),
        update(name, ['*']),
        remove(name),
      ]),
      readers: [
        read('clients', ['id', 'name'], { visits: { place: { _eq: 'Rome' } } }),
        read('visits', ['*']),
      ],
    },
    users: { ann: { policies: ['sellers'] }, bob: { policies: ['readers'] } },
  });
});

afterAll(() => world.app.close());

it('creates the tables, junctions and types of a collection in its own schema', async () => {
  const rows = await world.app.database.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = '"CRM data"'::regnamespace
     UNION ALL SELECT typname FROM pg_type WHERE typtype = 'e' AND typnamespace = '"CRM data"'::regnamespace ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(['client_state', 'clients', 'clients_labels']);
});

it('serves such a collection like any other, with relations to it and from it', async () => {
  const ann = world.as('ann');
  const label = { name: 'big' };
  const sent = {
    ...{ name: 'Acme', state: 'new', label, parent: { name: 'Holding', state: 'known' } },
    ...{ labels: [{ name: 'old' }], visits: [{ place: 'Rome' }] },
  };
  const created = await ann.post(
    '/items/clients?fields=*,label.name,parent.name,labels.name,visits.place',
    sent,
  );
  expect([created.status, created.codes]).toEqual([200, []]);
  expect(created.data).toMatchObject({
    ...{ name: 'Acme', state: 'new', label: { name: 'big' }, parent: { name: 'Holding' } },
    ...{ labels: [{ name: 'old' }], visits: [{ place: 'Rome' }] },
  });
  const filter = JSON.stringify({ client: { label: { name: { _eq: 'big' } } } });
  const found = await ann.get(`/items/visits?fields=place,client.name&filter=${filter}`);
  expect(found.data).toEqual([{ place: 'Rome', client: { name: 'Acme' } }]);
  const taken = await ann.post('/items/clients', { name: 'Acme', state: 'new' });
  expect(taken.codes).toEqual(['RECORD_NOT_UNIQUE']);
  const lacking = await ann.post('/items/visits', { place: 'Bern', client: 999 });
  expect(lacking.codes).toEqual(['INVALID_FOREIGN_KEY']);
  const groups = await ann.get('/items/clients?aggregate[count]=*&groupBy=state&sort=state');
  expect(groups.data).toEqual([
    { state: 'new', count: 1 },
    { state: 'known', count: 1 },
  ]);
  expect((await world.as('bob').get('/items/clients')).data).toEqual([
    { id: created.data['id'], name: 'Acme' },
  ]);
});

it('serves it over GraphQL', async () => {
  const ann = world.as('ann');
  const reply = await ann.graphql(
    `mutation { create_clients_item(data: { name: "Bolt", state: "new", visits: [{ place: "Oslo" }] })
      { name visits { place client { name } } } }`,
  );
  expect(reply.data).toEqual({
    create_clients_item: {
      name: 'Bolt',
      visits: [{ place: 'Oslo', client: { name: 'Bolt' } }],
    },
  });
  const read = await ann.graphql(
    '{ clients(filter: { visits: { place: { _eq: "Oslo" } } }) { name label { name } } }',
  );
  expect(read.data).toEqual({ clients: [{ name: 'Bolt', label: null }] });
});

it('describes it under /fields and in OpenAPI', async () => {
  const admin = world.as('admin');
  const field = await admin.get('/fields/clients/state');
  expect(field.data).toMatchObject({ collection: 'clients', schema: { table: 'clients' } });
  const relations = await admin.get('/relations/visits/client');
  expect(relations.data).toMatchObject({ related_collection: 'clients' });
  const { body } = await admin.get('/server/specs/oas');
  expect(Object.keys((body as { paths: object }).paths)).toContain('/items/clients/{id}');
});

it('keeps its deleted rows, and logs what happens to it', async () => {
  const ann = world.as('ann');
  const { data } = await ann.post('/items/clients', { name: 'Gone', state: 'new' });
  const id = String(data['id']);
  await ann.patch(`/items/clients/${id}`, { state: 'known' });
  expect((await ann.delete(`/items/clients/${id}`)).status).toBe(204);
  expect((await ann.get(`/items/clients/${id}`)).codes).toEqual(['FORBIDDEN']);
  const kept = await world.app.database.query(
    'SELECT name FROM "CRM data".clients WHERE deleted_at IS NOT NULL',
  );
  expect(kept).toEqual([{ name: 'Gone' }]);
  const about = JSON.stringify({ collection: { _eq: 'clients' }, item: { _eq: id } });
  const log = await world
    .as('admin')
    .get(`/activity?fields=action&sort=timestamp,id&filter=${about}`);
  expect(log.data).toEqual([{ action: 'create' }, { action: 'update' }, { action: 'delete' }]);
});
