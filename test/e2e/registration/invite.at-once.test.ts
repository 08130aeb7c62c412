import { create, read, seed, type SeedData, type World } from '../../factories';
import { anAddress, hearMails, startTestApp } from '../../support';

const SEED: SeedData = {
  policies: {
    hiring: [create('service_users', ['email', 'role']), read('service_roles', ['id', 'name'])],
  },
  roles: { staff: {} },
  users: { ann: { policies: ['hiring'] }, bob: { policies: ['hiring'] } },
};
const EVERYBODY = ['admin', 'ann', 'bob', 'ann', 'bob', 'admin'];

let world: World;
beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
  hearMails(world.app);
});
afterAll(() => world?.app.close());

const STATUSES = `
  SELECT status, count(*)::int4 AS users FROM service_users WHERE email = ANY($1) GROUP BY 1`;

/** Several users invite the same people at once. */
async function inviteAtOnce(email: readonly string[]): Promise<unknown> {
  const role = world.id('staff');
  const replies = await Promise.all(
    EVERYBODY.map((who) => world.as(who).post('/users/invite', { email, role })),
  );
  expect(replies.map(({ status, text }) => [status, text])).toEqual(EVERYBODY.map(() => [204, '']));
  return world.app.database.query(STATUSES, [email]);
}

it.each([
  ['people who are new', []],
  ['people who are still invited', ['invited']],
  ['people who never confirmed a registration', ['unverified']],
  ['all of these, and others', ['invited', 'unverified', 'active', 'new']],
])('%s are invited by several at once', async (_, statuses) => {
  const email = Array.from({ length: 12 }, anAddress);
  const known = email
    .map((each, at) => ({ email: each, status: statuses[at % statuses.length] ?? 'new' }))
    .filter(({ status }) => status !== 'new');
  if (known.length > 0) expect((await world.as('admin').post('/users', known)).status).toBe(200);
  const active = known.filter(({ status }) => status === 'active').length;
  const invited = { status: 'invited', users: email.length - active };
  const others = active > 0 ? [{ status: 'active', users: active }] : [];
  expect(await inviteAtOnce(email)).toEqual(expect.arrayContaining([invited, ...others]));
  expect(await inviteAtOnce(email)).toEqual(expect.arrayContaining([invited, ...others]));
});
