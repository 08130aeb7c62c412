import { Collection, CollectionsModule, Field } from 'doorward';
import { Client, escapeIdentifier } from 'pg';
import { create, read, remove, seed, update, type World } from '../../factories';
import {
  alterDatabase,
  as,
  describeOnPostgres,
  makeTestStorage,
  startTestApp,
} from '../../support';
import type { TestStorage } from '../../support/test-storage';

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
      update('parcels', ['*']),
      remove('parcels'),
    ],
  },
  users: { ann: { policies: ['carrying'] } },
};

const LACKS = {
  status: 503,
  body: {
    errors: [
      {
        message: 'Service "database" is unavailable: a table or column is missing in it.',
        extensions: { code: 'SERVICE_UNAVAILABLE', service: 'database' },
      },
    ],
  },
};

type Send = (world: World) => Promise<{ status: number }>;

const REQUESTS: [string, Send][] = [
  ['a read', (world) => world.as('ann').get('/items/parcels')],
  ['a create', (world) => world.as('ann').post('/items/parcels', { weight: 2 })],
  [
    'a create of several',
    (world) => world.as('ann').post('/items/parcels', [{ weight: 2 }, { weight: 3 }]),
  ],
  ['an update', (world) => world.as('ann').patch('/items/parcels/1', { weight: 2 })],
];

describe('a database that was changed by hand under the running service', () => {
  let world: World;

  const start = async (): Promise<World> => {
    const imports = [CollectionsModule.forFeature([Parcel])];
    return seed(await startTestApp({ imports, synchronize: true, logger: false }), SEED);
  };
  const sql = (text: string): Promise<unknown> => world.app.database.query(text);

  beforeAll(async () => {
    world = await start();
    await world.as('ann').post('/items/parcels', { weight: 1 });
  });
  afterAll(() => world?.app.close());

  it.each([
    ['table', 'RENAME TO packets', 'ALTER TABLE packets RENAME TO parcels'],
    ['column', 'RENAME weight TO mass', 'ALTER TABLE parcels RENAME mass TO weight'],
  ])('is unavailable while a %s is missing, and no longer', async (_, change, undo) => {
    await sql(`ALTER TABLE parcels ${change}`);
    for (const [, send] of REQUESTS) expect(await send(world)).toMatchObject(LACKS);
    await sql(undo);
    for (const [, send] of REQUESTS) expect((await send(world)).status).toBe(200);
  });

  it('still has mistakes in the statements of a team, which are faults', async () => {
    await expect(sql('SELECT * FROM packets')).rejects.toMatchObject({ code: '42P01' });
    await expect(sql('SELECT mass FROM parcels')).rejects.toMatchObject({ code: '42703' });
  });
});

/** The embedded database has no role of an operator. */
describeOnPostgres('a search path that leads elsewhere', () => {
  let made: TestStorage;
  let world: World;

  beforeAll(async () => {
    made = await makeTestStorage();
    const imports = [CollectionsModule.forFeature([Parcel])];
    const { storage } = made;
    world = await seed(
      await startTestApp({ imports, storage, synchronize: true, logger: false }),
      SEED,
    );
    await world.as('ann').post('/items/parcels', { weight: 1 });
  });
  afterAll(async () => {
    await world?.app.close();
    await made?.drop();
  });

  it('makes the database unavailable, and is noticed when it leads back', async () => {
    await alterDatabase(world.app, ['search_path = elsewhere']);
    for (const [, send] of REQUESTS) expect(await send(world)).toMatchObject(LACKS);
    expect(await as(world.app).get('/server/health')).toMatchObject(LACKS);
    const operator = new Client('url' in made.storage ? made.storage.url : '');
    await operator.connect();
    const name = escapeIdentifier(operator.database ?? '');
    await operator.query(`ALTER DATABASE ${name} RESET search_path`);
    await operator.end();
    await Promise.all(REQUESTS.map(([, send]) => send(world)));
    for (const [, send] of REQUESTS) expect((await send(world)).status).toBe(200);
  });
});
