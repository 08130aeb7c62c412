import type { DynamicModule } from '@nestjs/common';
import { Collection, CollectionsModule, Field } from 'doorward';
import type { Storage } from '../../../src/database/storage';
import { read, seed } from '../../factories';
import {
  as,
  makeLastingStorage,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../../support';
import { SampleModule } from '../../sample-extension/sample.module';

@Collection('invoices')
class Invoice {
  @Field.key('integer') id!: number;
  @Field.text({ length: 20 }) number!: string;
  @Field.decimal({ precision: 10, scale: 2, nullable: true }) amount!: string | null;
}

describe('An entity and one line', () => {
  it('make a collection with routes, operations and rules', async () => {
    const app = await startTestApp({
      imports: [CollectionsModule.forFeature([Invoice])],
      synchronize: true,
    });
    try {
      const small = read('invoices', ['number'], { amount: { _lt: '100' } });
      const policies = { small: [small] };
      const world = await seed(app, { policies, users: { ann: { policies: ['small'] } } });
      const rows = [
        { number: 'A1', amount: '99.90' },
        { number: 'A2', amount: '1000' },
      ];
      expect((await world.as('admin').post('/items/invoices', rows)).status).toBe(200);
      expect((await world.as('ann').get('/items/invoices')).data).toEqual([
        { id: 1, number: 'A1' },
      ]);
      expect((await world.as('ann').post('/items/invoices', { number: 'B' })).status).toBe(403);
      const query = '{ invoices { number } invoices_aggregated { count { id } } }';
      expect((await world.as('ann').post('/graphql', { query })).data).toEqual({
        invoices: [{ number: 'A1' }],
        invoices_aggregated: [{ count: { id: 1 } }],
      });
      const mine = await world.as('ann').get('/permissions/me');
      expect(mine.data).toMatchObject({ invoices: { read: { access: 'partial' } } });
    } finally {
      await app.close();
    }
  });
});

describe('Without an extension', () => {
  let app: TestApp;
  let admin: TestClient;

  beforeAll(async () => {
    app = await startTestApp();
    admin = as(app, (await signIn(app, TEST_ADMIN)).access_token);
  });

  afterAll(() => app.close());

  const ask = (query: string, client = admin) => client.post('/graphql', { query });

  it('GraphQL explains that there are no collections', async () => {
    expect((await ask('{ _empty }')).body).toEqual({ data: { _empty: null } });
    expect((await ask('{ _empty }', as(app))).codes).toEqual(['FORBIDDEN']);
    expect((await ask('{ articles { id } }')).codes).toEqual(['INVALID_QUERY']);
    const schema =
      '{ __schema { queryType { fields { name description } } mutationType { name } } }';
    const description = 'No collection is registered here. Always null.';
    expect((await ask(schema)).data).toEqual({
      __schema: { queryType: { fields: [{ name: '_empty', description }] }, mutationType: null },
    });
  });

  it('there are no items', async () => {
    for (const path of ['/items/articles', '/items/articles/1', '/items/service_users']) {
      expect((await admin.get(path)).codes).toEqual(['FORBIDDEN']);
    }
    expect((await admin.get('/items')).codes).toEqual(['ROUTE_NOT_FOUND']);
  });
});

describe('Removing the module', () => {
  let storage: Storage;
  let drop: () => unknown;

  beforeAll(async () => {
    ({ storage, drop } = await makeLastingStorage());
  });

  afterAll(() => drop());

  const running = async (
    imports: (typeof SampleModule | DynamicModule)[],
    work: (admin: TestClient) => Promise<void>,
  ): Promise<void> => {
    const app = await startTestApp({ host: 'own', imports, storage });
    try {
      await work(as(app, (await signIn(app, TEST_ADMIN)).access_token));
    } finally {
      await app.close();
    }
  };

  it('leaves the service working, and the data in the database', async () => {
    await running([SampleModule], async (admin) => {
      const note = { text: 'Keep me' };
      const reply = await admin.post('/items/articles', { title: 'Kept', notes: [note] });
      expect(reply.status).toBe(200);
      const { id: policy } = (await admin.post('/policies', { name: 'readers' })).data;
      const rule = { ...read('articles', ['title']), policy };
      expect((await admin.post('/permissions', rule)).status).toBe(200);
    });
    await running([], async (admin) => {
      for (const path of ['/users', '/permissions', '/permissions/me', '/settings', '/collections'])
        expect((await admin.get(path)).status).toBe(200);
      // Its rules are kept: they sleep until the module is back.
      const rules = await admin.get('/permissions?filter[collection][_eq]=articles');
      expect(rules.data).toEqual([expect.objectContaining({ asleep: true })]);
      expect((await admin.get('/permissions/me')).text).not.toContain('articles');
      expect((await admin.get('/items/articles')).codes).toEqual(['FORBIDDEN']);
      expect((await admin.post('/articles/1/publish')).codes).toEqual(['ROUTE_NOT_FOUND']);
      expect((await admin.post('/graphql', { query: '{ _empty }' })).codes).toEqual([]);
    });
    await running([SampleModule], async (admin) => {
      const reply = await admin.get('/items/articles?fields=title,notes.text');
      expect(reply.data).toEqual([{ title: 'Kept', notes: [{ text: 'Keep me' }] }]);
    });
  }, 120_000);
});
