import { ServiceUnavailable } from '../../../src/common/errors';
import { create, read, seed, type SeedData, type World } from '../../factories';
import { anAddress, type RecordedMails, recordMails, startTestApp } from '../../support';

const SEED: SeedData = {
  policies: {
    hiring: [create('service_users', ['email', 'role']), read('service_roles', ['id', 'name'])],
  },
  roles: { staff: {} },
  users: { ann: { policies: ['hiring'] }, bob: { policies: ['hiring'] } },
};
const EVERYBODY = ['admin', 'ann', 'bob', 'ann', 'bob', 'admin'];

let world: World;
let recorded: RecordedMails;
beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
  recorded = recordMails(world.app);
});
afterAll(() => world?.app.close());

const STATUSES = `
  SELECT status, count(*)::int4 AS users FROM service_users WHERE email = ANY($1) GROUP BY 1`;

const REGISTER = `
  UPDATE service_users SET registered = true WHERE email = ANY($1) AND status = 'unverified'`;

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
  await world.app.database.query(REGISTER, [email]);
  const active = known.filter(({ status }) => status === 'active').length;
  const invited = { status: 'invited', users: email.length - active };
  const others = active > 0 ? [{ status: 'active', users: active }] : [];
  expect(await inviteAtOnce(email)).toEqual(expect.arrayContaining([invited, ...others]));
  expect(await inviteAtOnce(email)).toEqual(expect.arrayContaining([invited, ...others]));
});

it('an invitation whose outcome is unknown is not repeated: the first link stays valid', async () => {
  const { database } = world.app;
  const transaction = database.transaction.bind(database);
  // The answer to the COMMIT is lost.
  const spy = jest.spyOn(database, 'transaction').mockImplementationOnce(async (work, options) => {
    await transaction(work, options);
    throw new ServiceUnavailable({ service: 'database' });
  });
  const email = anAddress();
  const reply = await world.as('admin').post('/users/invite', { email, role: world.id('staff') });
  spy.mockRestore();
  expect([reply.status, reply.codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
  expect(await recorded.to(email)).toHaveLength(1);
  const token = await recorded.tokenFor(email);
  const accept = { token, password: 'seven-blue-kettles' };
  expect((await world.as('admin').post('/users/invite/accept', accept)).status).toBe(204);
});
