import { type SeedData, read, remove, seed, type World } from '../../factories';
import { startTestApp } from '../../support';
import { SampleModule } from '../../sample-extension/sample.module';

/** A role that the settings refer to cannot be deleted: the database prevents it. */
const SEED: SeedData = {
  policies: {
    deleting: [remove('service_roles')],
    sorting: [remove('categories'), read('categories', ['*'])],
    reading: [read('articles', ['*'])],
    titling: [read('articles', ['id', 'title'])],
  },
  roles: { named: {}, free: {} },
  users: {
    del: { policies: ['deleting'] },
    reader: { policies: ['sorting', 'reading'] },
    titles: { policies: ['sorting', 'titling'] },
    blind: { policies: ['sorting'] },
  },
};

const SETTING = { collection: 'service_settings', field: 'public_registration_role' };

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [SampleModule] }), SEED);
  const settings = world.fill({ public_registration_role: '<named>' });
  expect((await world.as('admin').patch('/settings', settings)).status).toBe(200);
  const article = { title: 'Rivers', category: { name: 'World' } };
  expect((await world.as('admin').post('/items/articles', article)).status).toBe(200);
});

afterAll(() => world.app.close());

describe('a category that an article is in', () => {
  it.each([
    ['admin', { collection: 'articles', field: 'category' }],
    ['reader', { collection: 'articles', field: 'category' }],
    ['titles', {}],
    ['blind', {}],
  ])('is not deleted by %s, who is told %j', async (caller, place) => {
    const reply = await world.as(caller).delete('/items/categories/1');
    expect(reply.status).toBe(400);
    const { errors } = reply.body as { errors: readonly { extensions: object }[] };
    const extensions = { code: 'INVALID_FOREIGN_KEY', ...place };
    expect(errors.map((each) => each.extensions)).toEqual([extensions]);
    if (Object.keys(place).length === 0) expect(reply.text).not.toMatch(/articles|categor/);
  });
});

describe('a role that the settings refer to', () => {
  it.each(['admin', 'del'])('is not deleted by %s, alone or among others', async (caller) => {
    const before = await world.state();
    const ids = world.fill(['<free>', '<named>']);
    for (const reply of [
      await world.as(caller).delete(world.fill('/roles/<named>')),
      await world.as(caller).delete('/roles', ids),
    ]) {
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_FOREIGN_KEY']]);
      if (caller === 'del') expect(reply.text).not.toContain('settings');
      else expect(reply.body).toMatchObject({ errors: [{ extensions: SETTING }] });
    }
    expect(await world.state()).toEqual(before);
  });

  it('is deleted once they no longer refer to it', async () => {
    await world.as('admin').patch('/settings', { public_registration_role: null });
    expect((await world.as('del').delete(world.fill('/roles/<named>'))).status).toBe(204);
  });
});
