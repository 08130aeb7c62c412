import { create, PASSWORD, read, seed, type SeedData, update, type World } from '../factories';
import { as, startTestApp } from '../support';

const SEED: SeedData = {
  policies: {
    delegated: [
      ...[read, create, update].map((rule) => rule('service_users', ['*'])),
      ...[read, create, update].map((rule) => rule('service_permissions', ['*'])),
      read('service_policies', ['*']),
    ],
  },
  users: { ann: { policies: ['delegated'] } },
};

let world: World;
let token: string;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
  const made = await world
    .as('ann')
    .post(
      '/users/me/tokens',
      world.fill({ name: 'program', policies: ['<delegated>'], current_password: PASSWORD }),
    );
  token = String(made.data['token']);
});

afterAll(() => world?.app.close());

describe("49: one's own e-mail, preset by a rule on one's own user", () => {
  // Only an administrator may write it.
  beforeAll(async () => {
    const own = { id: { _eq: '$CURRENT_USER' } };
    const reply = await world.as('admin').post(
      '/permissions',
      world.fill({
        ...{
          policy: '<delegated>',
          collection: 'service_users',
          action: 'update',
          permissions: own,
        },
        ...{ fields: ['title'], presets: { email: 'thief@example.com' } },
      }),
    );
    expect(reply.status).toBe(200);
  });

  /** Each with the refusal of a static token, which may not change the account at all. */
  it.each<[string, object, string]>([
    ['/users/me', { title: 'x' }, 'FORBIDDEN'],
    ['/users/<ann>', { title: 'x' }, 'FORBIDDEN'],
    ['/users', { keys: ['<ann>'], data: { title: 'x' } }, 'INVALID_PAYLOAD'],
    ['/users', [{ id: '<ann>', title: 'x' }] as object, 'INVALID_PAYLOAD'],
  ])('is not changed without proof by PATCH %s %j', async (path, body, ofToken) => {
    const before = await world.app.database.query('SELECT * FROM service_users ORDER BY id');
    const [url, sent] = [world.fill(path), world.fill(body)];
    expect((await world.as('ann').patch(url, sent)).codes).toEqual(['INVALID_PAYLOAD']);
    expect((await as(world.app, token).patch(url, sent)).codes).toEqual([ofToken]);
    const after = await world.app.database.query('SELECT * FROM service_users ORDER BY id');
    expect(after).toEqual(before);
  });

  it('is changed with proof', async () => {
    const body = { title: 'y', current_password: PASSWORD };
    expect((await world.as('ann').patch('/users/me', body)).status).toBe(200);
  });
});
