import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), {
    policies: { rooms: [], other: [] },
    users: { ann: {} },
  });
});
beforeEach(() => world.restore());
afterAll(() => world.app.close());

const UNTIL = '2031-05-06T07:08:09.000Z';
const FIELDS = 'fields=id,policy.name,expires_at&sort=policy.name';

const links = async () =>
  (await world.as('admin').get(world.fill(`/access?filter[user][_eq]=<ann>&${FIELDS}`))).data;

describe('a policy that is attached until a date', () => {
  it.each<[string, unknown, string[]]>([
    ['by its id', ['<rooms>'], ['rooms']],
    ['as an object', [{ id: '<rooms>' }], ['rooms']],
    ['as a row', [{ policy: '<rooms>' }], ['rooms']],
    ['as a row, with another', [{ policy: '<other>' }, { policy: '<rooms>' }], ['other', 'rooms']],
    ['twice', ['<rooms>', { policy: '<rooms>' }], ['rooms']],
    ['by its id under create', { create: ['<rooms>'] }, ['rooms']],
    ['as a row under create', { create: [{ policy: '<rooms>' }] }, ['rooms']],
  ])('keeps that date when it is sent again: %s', async (_, policies, names) => {
    const admin = world.as('admin');
    const row = world.fill({ policy: '<rooms>', user: '<ann>', expires_at: UNTIL });
    const { data: link } = await admin.post('/access', row);
    const reply = await admin.patch(world.fill('/users/<ann>'), world.fill({ policies }));
    expect([reply.status, ...reply.codes]).toEqual([200]);
    const all = names.map((name) => ({ policy: { name } }));
    expect(await links()).toMatchObject(all);
    expect(await links()).toContainEqual({
      ...{ id: link['id'], policy: { name: 'rooms' }, expires_at: UNTIL },
    });
  });

  it('gets another date if the row sets one', async () => {
    const admin = world.as('admin');
    await admin.post(
      '/access',
      world.fill({ policy: '<rooms>', user: '<ann>', expires_at: UNTIL }),
    );
    const policies = world.fill([{ policy: '<rooms>', expires_at: null }]);
    expect((await admin.patch(world.fill('/users/<ann>'), { policies })).status).toBe(200);
    expect(await links()).toMatchObject([{ policy: { name: 'rooms' }, expires_at: null }]);
  });
});
