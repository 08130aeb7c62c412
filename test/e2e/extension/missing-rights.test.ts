import { Logger } from '@nestjs/common';
import { Collection, CollectionsModule, Field } from 'doorward';
import { Client } from 'pg';
import { create, read, remove, seed, update, type World } from '../../factories';
import { alterDatabase, describeOnPostgres, makeTestStorage, startTestApp } from '../../support';
import { onPostgres, type TestStorage } from '../../support/test-storage';

@Collection('parcels', { existing: true })
class Parcel {
  @Field.key('integer') id!: number;
  @Field.integer({ nullable: true }) weight!: number | null;
  @Field.text({ nullable: true }) note!: string | null;
}

const SEED = {
  policies: {
    carrying: [
      read('parcels', ['*']),
      create('parcels', ['*']),
      update('parcels', ['*']),
      remove('parcels'),
    ],
  },
  users: { ann: { policies: ['carrying'] } },
};
const ROLE = `doorward_rights_${process.pid}`;
const TABLE = 'CREATE TABLE parcels (id serial PRIMARY KEY, weight int, note text)';

/** As a superuser, which the embedded database runs as, no right is missing. */
describeOnPostgres("a table on which the service's role lacks a right", () => {
  let made: TestStorage;
  let world: World;
  let warnings: jest.SpyInstance;

  const imports = [CollectionsModule.forFeature([Parcel])];
  const sql = async (...texts: string[]): Promise<void> => {
    const client = new Client('url' in made.storage ? made.storage.url : '');
    await client.connect();
    await client.query('SET ROLE NONE');
    for (const text of texts) await client.query(text);
    await client.end();
  };
  const restart = async (): Promise<string[]> => {
    warnings.mockClear();
    const app = await startTestApp({ imports, storage: made.storage, logger: false });
    await app.close();
    return warnings.mock.calls.map(([text]) => String(text)).filter((text) => /rights/.test(text));
  };

  beforeAll(async () => {
    made = await makeTestStorage();
    warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await sql(TABLE, 'INSERT INTO parcels DEFAULT VALUES', `CREATE ROLE ${ROLE}`);
    const app = await startTestApp({ imports, storage: made.storage, logger: false });
    world = await seed(app, SEED);
    for (const kind of ['TABLES', 'SEQUENCES'])
      await sql(`GRANT ALL ON ALL ${kind} IN SCHEMA public TO ${ROLE}`);
    await alterDatabase(app, [`role = ${ROLE}`]);
  });
  afterEach(() => sql(`GRANT ALL ON parcels, parcels_id_seq TO ${ROLE}`));
  afterAll(async () => {
    await world?.app.close();
    await made?.drop();
    warnings.mockRestore();
    const admin = new Client(onPostgres());
    await admin.connect();
    await admin.query(`DROP ROLE IF EXISTS ${ROLE}`);
    await admin.end();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['SELECT ON parcels', () => world.as('ann').get('/items/parcels')],
    ['INSERT ON parcels', () => world.as('ann').post('/items/parcels', { weight: 2 })],
    ['ALL ON parcels_id_seq', () => world.as('ann').post('/items/parcels', { weight: 2 })],
    ['UPDATE ON parcels', () => world.as('ann').patch('/items/parcels/1', { weight: 2 })],
    ['DELETE ON parcels', () => world.as('ann').delete('/items/parcels/1')],
  ])('without %s is answered by 503', async (right, send) => {
    await sql(`REVOKE ${right} FROM ${ROLE}`);
    expect(await send()).toMatchObject({
      status: 503,
      body: {
        errors: [
          {
            message: 'Service "database" is unavailable: it does not allow the service to do this.',
            extensions: { code: 'SERVICE_UNAVAILABLE', service: 'database' },
          },
        ],
      },
    });
  });

  it.each([
    [
      ['SELECT ON parcels', 'UPDATE ON parcels'],
      `Run GRANT SELECT, UPDATE ON "parcels" TO "${ROLE}".`,
    ],
    [
      ['ALL ON parcels', 'ALL ON parcels_id_seq'],
      `Run GRANT SELECT, INSERT, UPDATE, DELETE ON "parcels" TO "${ROLE}"; GRANT USAGE ON SEQUENCE parcels_id_seq TO "${ROLE}".`,
    ],
    [
      ['DELETE ON parcels'],
      `Declare it with { view: true }, which is only read, or run GRANT DELETE ON "parcels" TO "${ROLE}".`,
    ],
  ])('is named by the warning of a start: without %j', async (rights, remedy) => {
    await sql(...rights.map((right) => `REVOKE ${right} FROM ${ROLE}`));
    expect(await restart()).toEqual([
      `The database role lacks rights on the table of the collection parcels: requests that need them get 503. ${remedy}`,
    ]);
  });

  it('is named with the columns where the right is on others', async () => {
    await sql(
      `REVOKE INSERT, UPDATE ON parcels FROM ${ROLE}`,
      `GRANT INSERT (weight, note), UPDATE (weight) ON parcels TO ${ROLE}`,
    );
    expect((await world.as('ann').patch('/items/parcels/1', { weight: 3 })).status).toBe(200);
    expect((await world.as('ann').patch('/items/parcels/1', { note: 'x' })).status).toBe(503);
    expect((await world.as('ann').post('/items/parcels', { weight: 4 })).status).toBe(200);
    expect(await restart()).toEqual([expect.stringContaining('run GRANT UPDATE ("note") ON')]);
    await sql(`REVOKE ALL (weight, note) ON parcels FROM ${ROLE}`);
  });

  it('is not warned of where none is missing', async () => {
    expect(await restart()).toEqual([]);
  });
});
