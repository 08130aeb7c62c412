import { ActivityRetention } from '../../../src/activity/activity-retention';
import { Collections } from '../../../src/collections';
import type { RelatedWriter } from '../../../src/repository';
import { type SeedData, create, OWN_USER, read, update } from '../../factories';
import { recordWrites } from '../../support';
import { openSampleWorld, type SampleWorld } from '../../security/items/sample-world';
import { done, type Entry, entriesOf } from './entries';

const SEED: SeedData = {
  policies: {
    selfish: [
      read('service_users', ['*'], OWN_USER),
      update('service_users', ['first_name'], OWN_USER),
    ],
    tagger: [create('tags', ['name']), read('tags', ['name'])],
  },
  users: { tim: { policies: ['selfish', 'tagger'], first_name: 'Tim' } },
};

let world: SampleWorld;

beforeAll(async () => {
  world = await openSampleWorld(SEED);
}, 120_000);

afterAll(() => world.app.close());

const FIELDS = 'action,collection,item,user,fields,before,after,cut,comment';

/** The entries that `work` adds to the log, in order. */
const logged = (work: () => Promise<unknown>): Promise<Entry[]> =>
  entriesOf(world.as('admin'), FIELDS, work);

const entry = (action: string, collection: string, item: string | number, more: object): object =>
  expect.objectContaining({ action, collection, item: String(item), ...more }) as object;

describe('The log', () => {
  it('records who changed what, the old and new values, and from where', async () => {
    const headers = { 'user-agent': 'Tester/1', origin: 'http://127.0.0.1' };
    const entries = await logged(() =>
      done(world.as('pia').send('PATCH', '/items/articles/4', { title: 'Oceans' }, headers)),
    );
    expect(entries).toEqual([
      {
        ...{ action: 'update', collection: 'articles', item: '4', user: world.id('pia') },
        ...{ fields: ['title'], before: { title: 'Seas' }, after: { title: 'Oceans' } },
        ...{ cut: [], comment: null },
      },
    ]);
    const reply = await world
      .as('admin')
      .get('/activity?sort=-id&limit=1&fields=ip,user_agent,timestamp');
    expect(reply.data).toEqual([
      { ip: '127.0.0.1', user_agent: 'Tester/1', timestamp: expect.stringMatching(/^20.*Z$/) },
    ]);
  });

  it('records the changed fields of an update, and no update that changes nothing', async () => {
    const body = { title: 'Oceans', qty: 5, metadata: { b: [1, 2] } };
    const entries = await logged(() => done(world.as('admin').patch('/items/articles/4', body)));
    expect(entries).toEqual([
      entry('update', 'articles', 4, {
        fields: ['qty', 'metadata'],
        before: { qty: null, metadata: null },
        after: { qty: 5, metadata: { b: [1, 2] } },
      }),
    ]);
    expect(await logged(() => done(world.as('admin').patch('/items/articles/4', body)))).toEqual(
      [],
    );
  });

  it('records nested writes, changed links and deletes', async () => {
    const body = {
      title: 'Whole',
      category: { name: 'Fresh' },
      tags: [world.tags.red, { name: 'new' }],
    };
    const entries = await logged(() => done(world.as('admin').post('/items/articles', body)));
    expect(entries.map(({ action, collection }) => [action, collection])).toEqual([
      ['create', 'categories'],
      ['create', 'articles'],
      ['create', 'tags'],
      ['update', 'articles'],
    ]);
    const [category, article, tag, links] = entries;
    expect(article).toMatchObject({
      after: { title: 'Whole', category: Number(category?.['item']) },
      before: null,
    });
    expect(links).toMatchObject({
      ...{ item: article?.['item'], fields: ['tags'], before: { tags: [] } },
      after: { tags: [world.tags.red, tag?.['item']] },
    });
    const gone = await logged(() =>
      done(world.as('admin').delete(`/items/articles/${String(article?.['item'])}`)),
    );
    expect(gone).toEqual([
      entry('delete', 'articles', String(article?.['item']), {
        before: expect.objectContaining({ title: 'Whole', body: null, featured: false }) as object,
        after: null,
      }),
    ]);
  });

  it('records many rows in one statement, however they are stored', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => ({ title: `T${n}`, qty: n }));
    const recorded = recordWrites(world.app.database);
    const entries = await logged(() =>
      done(world.as('admin').post('/items/articles?fields=id', many)),
    );
    recorded.stop();
    expect(
      recorded.texts.filter((text) => text.includes('INSERT INTO service_activity')),
    ).toHaveLength(1);
    expect(recorded.texts.length).toBeLessThanOrEqual(10);
    expect(entries.map(({ after }) => after)).toEqual(many);
    const keys = entries.map(({ item }) => Number(item));
    const each = keys.slice(0, 10).map((id, n) => ({ id, qty: n * 2 }));
    const changed = await logged(() => done(world.as('admin').patch('/items/articles', each)));
    expect(changed.map(({ item, before, after }) => [Number(item), before, after])).toEqual(
      // The first row keeps its value 0, so it is not logged.
      each.slice(1).map(({ id, qty }) => [id, { qty: qty / 2 }, { qty }]),
    );
    const same = await logged(() =>
      done(
        world.as('admin').patch('/items/articles', { keys: keys.slice(0, 3), data: { qty: 9 } }),
      ),
    );
    expect(same.map(({ before }) => before)).toEqual([{ qty: 0 }, { qty: 2 }, { qty: 4 }]);
    const deleted = await logged(() => done(world.as('admin').delete('/items/articles', keys)));
    expect(deleted).toHaveLength(1_000);
  });

  it('keeps the beginning of a long value, and marks it as cut', async () => {
    const long = 'ä😀'.repeat(20_000);
    const [first] = await logged(() =>
      done(world.as('admin').patch('/items/articles/4', { body: long })),
    );
    expect(first).toMatchObject({ cut: ['body'], before: { body: null } });
    const { after: kept } = first as { readonly after: { readonly body: string } };
    expect(long.startsWith(kept.body)).toBe(true);
    expect(kept.body.length).toBeLessThanOrEqual(20_000);
    const [second] = await logged(() =>
      done(world.as('admin').patch('/items/articles/4', { body: 'short', metadata: { long } })),
    );
    expect(second).toMatchObject({ cut: ['body', 'metadata'], after: { body: 'short' } });
  });

  it('keeps no more than a few megabytes of one request', async () => {
    const ids = (await world.as('admin').get('/items/articles?fields=id'))
      .data as unknown as Entry[];
    const dataOf = (length: number) => ({ body: 'x'.repeat(length), secret: 'y'.repeat(length) });
    const data = dataOf(100_000);
    const [one] = await logged(() =>
      done(
        world
          .as('admin')
          .patch('/items/articles?fields=id', { keys: ids.map(({ id }) => id), data }),
      ),
    );
    expect(one?.['cut']).toEqual(['body', 'secret']);
    await done(world.as('admin').post('/items/articles', Array(2_000).fill({ title: 'Many' })));
    const query = { filter: { title: { _eq: 'Many' } }, limit: -1 };
    const many = await logged(() =>
      // All that one write may store.
      done(world.as('admin').patch('/items/articles?fields=id', { query, data: dataOf(8_000) })),
    );
    expect(many).toHaveLength(2_000);
    expect(JSON.stringify(many).length).toBeLessThan(6_000_000);
    await done(world.as('admin').delete('/items/articles', { query }));
  });

  it('masks secrets, and stores no credentials', async () => {
    const body = { password: 'a-new-one-99', current_password: 'open-sesame-2' };
    const entries = await logged(() => done(world.as('tim').patch('/users/me', body)));
    expect(entries).toEqual([
      entry('update', 'service_users', String(world.id('tim')), {
        fields: ['password'],
        before: { password: '**********' },
        after: { password: '**********' },
      }),
    ]);
    const made = await logged(() =>
      done(
        world.as('admin').post('/users', { email: 'new@example.com', password: 'another-one-1' }),
      ),
    );
    expect(made).toEqual([
      entry('create', 'service_users', String(made[0]?.['item']), {
        after: expect.objectContaining({
          email: 'new@example.com',
          password: '**********',
        }) as object,
      }),
    ]);
  });

  it('records nothing of a refused request', async () => {
    const entries = await logged(async () => {
      const several = [
        { id: 4, title: 'Fine' },
        { id: 1, title: 'Not mine' },
      ];
      expect((await world.as('pia').patch('/items/articles', several)).status).toBe(403);
      expect((await world.as('tim').post('/items/tags', { name: 'x'.repeat(300) })).status).toBe(
        400,
      );
    });
    expect(entries).toEqual([]);
  });

  it('stays consistent under concurrent updates: each entry begins with the values that the one before left', async () => {
    const titles = Array.from({ length: 12 }, (_, n) => `Title ${n}`);
    const entries = await logged(() =>
      Promise.all(
        titles.map((title) => done(world.as('pia').patch('/items/articles/4', { title }))),
      ),
    );
    expect(entries).toHaveLength(titles.length);
    for (const [index, { before }] of entries.slice(1).entries()) {
      expect(before).toEqual(entries[index]?.['after']);
    }
  });

  it('cannot be written by anyone', async () => {
    for (const caller of ['admin', 'pia']) {
      const client = world.as(caller);
      const [any] = (await world.as('admin').get('/activity?limit=1')).data as unknown as Entry[];
      const path = `/activity/${String(any?.['id'])}`;
      const statuses = [
        (await client.post('/activity', { action: 'create' })).status,
        (await client.patch(path, { action: 'read' })).status,
        (await client.delete(path)).status,
        (await client.delete('/activity', [any?.['id']])).status,
      ];
      expect(statuses).toEqual([405, 405, 405, 405]);
      expect((await world.as('admin').get(path)).data).toEqual(any);
    }
  });

  it('cannot be written by the code of a module either, not even as the system', async () => {
    const collections = world.app.app.get(Collections);
    const [any] = (await world.as('admin').get('/activity?limit=1')).data as unknown as Entry[];
    const keys = [String(any?.['id'])];
    const writes: ((write: RelatedWriter) => Promise<unknown>)[] = [
      (write) => write.create('service_activity', [{ action: 'create', item: '1' }]),
      (write) => write.update('service_activity', keys, { item: '1' }),
      (write) => write.delete('service_activity', keys),
    ];
    for (const work of writes) {
      const system = collections.asSystem('to hide something');
      await expect(
        collections.transaction(system, ({ write }) => work(write)),
      ).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect((await world.as('admin').get(`/activity/${keys[0]}`)).data).toEqual(any);
  });

  it('keeps its entries for as long as configured', async () => {
    const { database, app } = world.app;
    const old = `UPDATE service_activity SET timestamp = now() - interval '91 days' WHERE id IN (SELECT id FROM service_activity ORDER BY id LIMIT 5)`;
    const count = async (): Promise<number> =>
      Number(
        (await database.query<{ n: string }>('SELECT count(*) AS n FROM service_activity'))[0]?.n,
      );
    const before = await count();
    await database.query(old);
    await app.get(ActivityRetention, { strict: false }).sweep();
    expect(await count()).toBe(before - 5);
  });
});
