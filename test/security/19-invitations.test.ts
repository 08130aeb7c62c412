import { type SeedData, create, read, seed, type World } from '../factories';
import {
  anAddress,
  CHOSEN,
  recordMails,
  type RecordedMails,
  jobsDone,
  REGISTRATION_TRANSPORTS,
  startTestApp,
} from '../support';

const HIRING = [
  create('service_users', ['email', 'role']),
  read('service_users', ['id', 'email', 'status']),
  read('service_roles', ['id', 'name'], { name: { _nin: ['hidden', 'hiddenWide'] } }),
];

const SEED: SeedData = {
  policies: {
    hiring: HIRING,
    some: [read('service_settings', ['project_name'])],
    more: [read('service_settings', ['auth_login_attempts'])],
    confined: [
      create(
        'service_users',
        ['email', 'role'],
        {},
        {
          validation: { email: { _ends_with: '@example.org' } },
          presets: { status: 'active', title: 'Hired' },
        },
      ),
      ...HIRING.slice(1),
    ],
    reading: [read('service_users', ['id', 'email'])],
  },
  roles: {
    staff: { policies: ['some'] },
    wide: { policies: ['some', 'more'] },
    heir: { parent: 'wide', policies: ['some'] },
    plain: {},
    hidden: {},
    hiddenWide: { policies: ['more'] },
  },
  users: {
    recruiter: { policies: ['hiring'], role: 'staff' },
    confined: { policies: ['confined'], role: 'staff' },
    reader: { policies: ['reading'], role: 'staff' },
  },
};

let world: World;
let recorded: RecordedMails;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
  recorded = recordMails(world.app);
  const settings = { public_registration: true, public_registration_role: world.id('plain') };
  expect((await world.as('admin').patch('/settings', settings)).status).toBe(200);
});

afterAll(() => world?.app.close());

const stored = async (email: string): Promise<unknown[]> => {
  await jobsDone(world.app);
  return world.app.database.query('SELECT * FROM service_users WHERE email = $1', [email]);
};

describe.each(REGISTRATION_TRANSPORTS)('19: at $name', (transport) => {
  const invite = (name: string | null, email: string, role: string) =>
    transport.run(world.as(name), 'invite', { email, role: world.id(role) });

  it.each(['staff', 'plain'])(
    'a caller who may create users invites to %s, which they hold',
    async (role) => {
      const email = anAddress();
      expect((await invite('recruiter', email, role)).codes).toEqual([]);
      expect(await stored(email)).toMatchObject([{ status: 'invited', role: world.id(role) }]);
      const token = await recorded.tokenFor(email);
      const accepted = await transport.run(world.as(null), 'accept', { token, password: CHOSEN });
      expect(accepted.codes).toEqual([]);
    },
  );

  it.each(['wide', 'heir', 'administrators'])('and not to %s, which gives more', async (role) => {
    const email = anAddress();
    expect((await invite('recruiter', email, role)).codes).toEqual(['FORBIDDEN']);
    expect(await stored(email)).toEqual([]);
    expect(await recorded.to(email)).toEqual([]);
  });

  it('a role that they do not see gets the same answer as a missing one, whatever it grants', async () => {
    const role = '00000000-0000-4000-8000-000000000000';
    const sent = { email: anAddress(), role };
    const none = await transport.run(world.as('recruiter'), 'invite', sent);
    expect(none.codes).toEqual(['INVALID_FOREIGN_KEY']);
    for (const name of ['hidden', 'hiddenWide']) {
      expect(await invite('recruiter', anAddress(), name)).toEqual(none);
    }
  });

  it.each(['reader', null])('%s, who may create no users, invites no one', async (name) => {
    const email = anAddress();
    expect((await invite(name, email, 'plain')).codes).toEqual(['FORBIDDEN']);
    expect(await stored(email)).toEqual([]);
  });

  it('a user invited to more than the caller holds is not changed, and their token stays valid', async () => {
    const email = anAddress();
    await invite('admin', email, 'administrators');
    const token = await recorded.tokenFor(email);
    const before = await stored(email);
    expect((await invite('recruiter', email, 'staff')).codes).toEqual([]);
    expect(await stored(email)).toEqual(before);
    expect(await recorded.to(email)).toHaveLength(1);
    const accepted = await transport.run(world.as(null), 'accept', { token, password: CHOSEN });
    expect(accepted.codes).toEqual([]);
    const [user] = await stored(email);
    await world.as('admin').delete(`/users/${(user as { id: string }).id}`);
  });

  it('neither is a user who registered and was granted more since', async () => {
    const email = anAddress();
    await transport.run(world.as(null), 'register', { email, password: CHOSEN });
    const [user] = await stored(email);
    const { id } = user as { id: string };
    const given = await world.as('admin').patch(`/users/${id}`, { policies: [world.id('more')] });
    expect(given.status).toBe(200);
    const before = await stored(email);
    expect((await invite('recruiter', email, 'staff')).codes).toEqual([]);
    expect(await stored(email)).toEqual(before);
  });

  it('rules on new users apply to invited users', async () => {
    const email = anAddress();
    expect((await invite('confined', email, 'staff')).codes).toEqual(['FAILED_VALIDATION']);
    expect(await stored(email)).toEqual([]);
    const allowed = email.replace('.com', '.org');
    expect((await invite('confined', allowed, 'staff')).codes).toEqual([]);
    expect(await stored(allowed)).toMatchObject([{ status: 'invited', title: 'Hired' }]);
  });

  it('whether an address is taken is not revealed by what is refused, or by what is not', async () => {
    const outcomes: unknown[] = [];
    for (const status of ['active', 'invited', 'unverified', null]) {
      const email = anAddress();
      const user = { email, status, password: CHOSEN };
      if (status !== null) expect((await world.as('admin').post('/users', user)).status).toBe(200);
      const before = await stored(email);
      outcomes.push(await invite('confined', email, 'staff'));
      expect(await stored(email)).toEqual(before);
    }
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect(outcomes[0]).toMatchObject({ codes: ['FAILED_VALIDATION'] });
  });

  it('also where the address was registered before: the registration stays', async () => {
    const email = anAddress();
    await transport.run(world.as(null), 'register', { email, password: CHOSEN });
    const token = await recorded.tokenFor(email);
    const before = await stored(email);
    expect((await invite('confined', email, 'staff')).codes).toEqual(['FAILED_VALIDATION']);
    expect(await stored(email)).toEqual(before);
    expect((await transport.run(world.as(null), 'verify', { token })).codes).toEqual([]);
  });
});
