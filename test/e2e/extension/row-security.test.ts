import { Collection, CollectionsModule, Field } from 'doorward';
import { Client } from 'pg';
import { create, read, remove, seed, update, type World } from '../../factories';
import { alterDatabase, describeOnPostgres, makeTestStorage, startTestApp } from '../../support';
import { onPostgres, type TestStorage } from '../../support/test-storage';

@Collection('parcels')
class Parcel {
  @Field.key('integer') id!: number;
  @Field.integer() weight!: number;
}

const SEED = {
  policies: {
    carrying: [
      read('parcels', ['*']),
      create('parcels', ['*']),
      update('parcels', ['*'], { weight: { _lt: 5 } }),
      remove('parcels'),
    ],
  },
  users: { ann: { policies: ['carrying'] } },
};
const ROLE = `doorward_rows_${process.pid}`;

/** A superuser, as which the embedded database runs, passes every such policy. */
describeOnPostgres('a table with row security policies of the database', () => {
  let made: TestStorage;
  let world: World;

  beforeAll(async () => {
    made = await makeTestStorage();
    const imports = [CollectionsModule.forFeature([Parcel])];
    const app = await startTestApp({ imports, storage: made.storage, synchronize: true });
    const sql = (text: string): Promise<unknown> => app.database.query(text);
    await sql(`CREATE ROLE ${ROLE}`);
    for (const kind of ['TABLES', 'SEQUENCES'])
      await sql(`GRANT ALL ON ALL ${kind} IN SCHEMA public TO ${ROLE}`);
    await sql('ALTER TABLE parcels ENABLE ROW LEVEL SECURITY');
    await sql('CREATE POLICY light ON parcels USING (weight < 10)');
    world = await seed(app, SEED);
    await sql(
      'INSERT INTO parcels (id, weight) OVERRIDING SYSTEM VALUE VALUES (100, 1), (200, 20)',
    );
    await alterDatabase(app, [`role = ${ROLE}`]);
  });

  afterAll(async () => {
    await world?.app.close();
    await made?.drop();
    const admin = new Client(onPostgres());
    await admin.connect();
    await admin.query(`DROP ROLE IF EXISTS ${ROLE}`);
    await admin.end();
  });

  it('has only the rows that they let through', async () => {
    const { data } = await world.as('ann').get('/items/parcels');
    expect(data).toEqual([{ id: 100, weight: 1 }]);
    expect((await world.as('ann').patch('/items/parcels/200', { weight: 2 })).status).toBe(403);
  });

  it.each<[string, () => Promise<{ status: number; codes: unknown }>]>([
    ['a new row', () => world.as('ann').post('/items/parcels', { weight: 11 })],
    [
      'one of several new rows',
      () => world.as('ann').post('/items/parcels', [{ weight: 2 }, { weight: 11 }]),
    ],
    ['a changed row', () => world.as('ann').patch('/items/parcels/100', { weight: 11 })],
    [
      'changed rows',
      () => world.as('ann').patch('/items/parcels', { keys: [100], data: { weight: 11 } }),
    ],
  ])('refuses %s that breaks one like a constraint', async (_, write) => {
    const before = await world.as('ann').get('/items/parcels');
    expect(await write()).toMatchObject({ status: 400, codes: ['FAILED_VALIDATION'] });
    expect((await world.as('ann').get('/items/parcels')).data).toEqual(before.data);
  });
});
