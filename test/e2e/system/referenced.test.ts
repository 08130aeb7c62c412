import { type SeedData, remove, seed, type World } from '../../factories';
import { startTestApp } from '../../support';

/** A role that the settings refer to cannot be deleted: the database prevents it. */
const SEED: SeedData = {
  policies: { deleting: [remove('service_roles')] },
  roles: { named: {}, free: {} },
  users: { del: { policies: ['deleting'] } },
};

const SETTING = { collection: 'service_settings', field: 'public_registration_role' };

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
  const settings = world.fill({ public_registration_role: '<named>' });
  expect((await world.as('admin').patch('/settings', settings)).status).toBe(200);
});

afterAll(() => world.app.close());

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
