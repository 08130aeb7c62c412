import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../support';
import {
  by,
  change,
  changeAll,
  dropAll,
  malformed,
  numbered,
  playIn,
  type Scenario,
} from '../support/scenarios';
import { seed } from '../factories';

const PASSWORD = 'open-sesame-2';
const FUTURE = '2999-01-01T00:00:00Z';

const users = by('admin', 'service_users');
const roles = by('admin', 'service_roles');
const policies = by('admin', 'service_policies');
const access = by('admin', 'service_access');
const drop = (id: string) => ({ operation: 'delete', id }) as const;

const REFUSED: Scenario[] = [
  users('cannot be suspended', change('<admin>', { status: 'suspended' }), malformed('status')),
  users('cannot lose their role', change('<admin>', { role: null }), malformed('role')),
  users(
    'cannot be moved to another role',
    change('<admin>', { role: '<plain>' }),
    malformed('role'),
  ),
  users(
    'cannot be deactivated along with others',
    changeAll(['<ann>', '<admin>'], { status: 'draft' }),
    malformed('status'),
  ),
  roles(
    'cannot be taken out of the role',
    change('<administrators>', { users: [] }),
    malformed('role'),
  ),
  roles('cannot lose the role by its deletion', drop('<administrators>'), malformed('id')),
  roles(
    'cannot lose the policy of the role',
    change('<administrators>', { policies: [] }),
    malformed('id'),
  ),
  roles(
    'cannot be moved by the list of another role',
    change('<plain>', { users: ['<admin>'] }),
    malformed('role'),
  ),
  policies('cannot lose the policy by its deletion', drop('<all>'), malformed('id')),
  policies(
    'cannot lose admin_access of the policy',
    change('<all>', { admin_access: false }),
    malformed('admin_access'),
  ),
  policies(
    'cannot lose the policy at the address that they write from',
    change('<all>', { ip_access: ['10.99.0.0/16'] }),
    malformed('ip_access'),
  ),
  policies(
    'cannot lose the policy at their address along with its name',
    change('<all>', { name: 'x', ip_access: ['10.99.0.0/16', '2001:db8::/32'] }),
    malformed('ip_access'),
  ),
  policies(
    'cannot lose the policy to another role',
    change('<all>', { roles: ['<plain>'] }),
    malformed('id'),
  ),
  access('cannot lose the access', drop('<access>'), malformed('id')),
  access(
    'cannot get an end of the access',
    change('<access>', { expires_at: FUTURE }),
    malformed('expires_at'),
  ),
  access(
    'cannot get an end of the access in the past',
    change('<access>', { expires_at: '2020-01-01T00:00:00Z' }),
    malformed('expires_at'),
  ),
  access(
    'cannot lose the access to another role',
    change('<access>', { role: '<plain>' }),
    malformed('role'),
  ),
  access(
    'cannot lose the access to another policy',
    change('<access>', { policy: '<public>' }),
    malformed('policy'),
  ),
  access('cannot lose the access in a batch', dropAll('<access>'), malformed('id')),
];

const ALLOWED: Scenario[] = [
  roles('may be replaced by another', change('<administrators>', { users: ['<ann>'] }), {
    query: { fields: ['users'] },
    gives: { users: ['<ann>'] },
  }),
  policies(
    'may be bound to networks that include the address that they write from',
    change('<all>', { ip_access: ['10.99.0.0/16', '127.0.0.0/8', '::1'] }),
    {
      query: { fields: ['ip_access'] },
      gives: { ip_access: ['10.99.0.0/16', '127.0.0.0/8', '::1'] },
    },
  ),
  policies('may demand a second factor', change('<other>', { enforce_tfa: true }), {
    query: { fields: ['enforce_tfa'] },
    gives: { enforce_tfa: true },
  }),
];

describe('27: the last administrator', () => {
  playIn({
    open: async () => {
      const seedData = { policies: { other: [] }, roles: { plain: {} }, users: { ann: {} } };
      const world = await seed(await startTestApp(), seedData);
      const filter = JSON.stringify({ role: { _eq: world.id('administrators') } });
      const found = await world.as('admin').get(`/access?filter=${filter}`);
      world.name('access', (found.data as unknown as { id: string }[])[0]?.id ?? '');
      return world;
    },
    scenarios: numbered(27, [...REFUSED, ...ALLOWED]),
  });
});

describe('27: of two administrators', () => {
  let test: TestApp;
  let admin: TestClient;
  let role: unknown;
  let count = 0;

  beforeAll(async () => {
    test = await startTestApp();
    admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    role = (await admin.get('/users/me?fields=role')).data['role'];
  });

  afterAll(() => test.close());

  const another = async (): Promise<{ id: string; client: TestClient }> => {
    const email = `second-${(count += 1)}@example.com`;
    const made = await admin.post('/users', { email, password: PASSWORD, role });
    const client = as(test, (await signIn(test, { email, password: PASSWORD })).access_token);
    return { id: String(made.data['id']), client };
  };

  const left = async (): Promise<number> => {
    const active = 'SELECT id FROM service_users WHERE status = $1 AND role = $2::uuid';
    return (await test.database.query(active, ['active', role])).length;
  };

  it.each(['suspend', 'delete'])(
    'one stays where both %s each other at the same time',
    async (how) => {
      const [first, second] = [await another(), await another()];
      const me = String((await admin.get('/users/me?fields=id')).data['id']);
      expect((await first.client.patch(`/users/${me}`, { role: null })).status).toBe(200);
      const end = (by: TestClient, { id }: { id: string }) =>
        how === 'delete'
          ? by.delete(`/users/${id}`)
          : by.patch(`/users/${id}`, { status: 'suspended' });
      const replies = await Promise.all([end(first.client, second), end(second.client, first)]);
      expect(await left()).toBe(1);
      // The other comes too late: their session has ended, or they would remove the last administrator.
      expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
      const [stays] = replies[0].status < 300 ? [first] : [second];
      expect((await stays.client.patch(`/users/${me}`, { role })).status).toBe(200);
      expect((await admin.delete(`/users/${stays.id}`)).status).toBe(204);
    },
  );

  it('an administrator without any means to sign in does not count', async () => {
    await admin.post('/users', { email: 'machine@example.com', role });
    const me = String((await admin.get('/users/me?fields=id')).data['id']);
    const reply = await admin.patch(`/users/${me}`, { status: 'suspended' });
    expect(reply.codes).toEqual(['INVALID_PAYLOAD']);
  });
});
