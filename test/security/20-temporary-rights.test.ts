import { create, read, seed, type SeedData, type World } from '../factories';
import { startTestApp } from '../support';

const SEED: SeedData = {
  policies: {
    base: [create('service_permissions', ['*']), read('service_permissions', ['*'])],
    seeing: [read('service_policies', ['*'])],
    temporary: [read('service_users', ['*']), read('service_settings', ['*'])],
  },
  users: { tina: { policies: ['base', 'seeing'] } },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
  const access = { user: '<tina>', policy: '<temporary>', expires_at: '2099-01-01T00:00:00Z' };
  expect((await world.as('admin').post('/access', world.fill(access))).status).toBe(200);
});

afterAll(() => world?.app.close());

const rule = (policy: string, more: object) =>
  world.as('tina').post('/permissions', world.fill({ policy, action: 'read', ...more }));

describe('20: rights that somebody has for a while', () => {
  it.each<[string, object]>([
    ['granted without an end', { collection: 'service_users', fields: ['email'] }],
    [
      'compared',
      {
        ...{ collection: 'service_policies', fields: ['name'] },
        permissions: { users: { email: { _eq: 'a@example.com' } } },
      },
    ],
  ])('are not %s by a rule of a policy that they keep', async (_, more) => {
    expect((await world.as('tina').get('/users?fields=email')).status).toBe(200);
    expect((await rule('<base>', more)).codes).toEqual(['FORBIDDEN']);
  });

  it('can be granted within the same policy, and others without an end', async () => {
    const users = { collection: 'service_users', fields: ['email'] };
    expect((await rule('<temporary>', users)).status).toBe(200);
    const policies = { collection: 'service_policies', fields: ['name'] };
    expect((await rule('<base>', policies)).status).toBe(200);
  });
});
