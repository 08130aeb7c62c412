import { create, read, seed } from '../../factories';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../../support';

interface Rule {
  readonly id: number;
  readonly policy: string;
}

describe('a rule for a role', () => {
  let test: TestApp;
  let admin: TestClient;

  beforeAll(async () => {
    test = await startTestApp();
    admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  });

  afterAll(() => test.close());

  const makeRole = async (name: string): Promise<string> =>
    String((await admin.post('/roles', { name })).data['id']);

  const rule = async (role: string, flags: object): Promise<Rule[]> => {
    const reply = await admin.post('/permissions', { collection: 'service_roles', role, ...flags });
    expect(reply.codes).toEqual([]);
    return [reply.data].flat() as unknown as Rule[];
  };

  it('is added to a policy that is created and attached for the role, as are later ones', async () => {
    const role = await makeRole('Clerk');
    const [read, update] = await rule(role, { read: true, update: true });
    const [later] = await rule(role, { delete: true });
    expect(new Set([read?.policy, update?.policy, later?.policy]).size).toBe(1);
    const attached = await admin.get(`/roles/${role}?fields=policies.name,policies.id`);
    expect(attached.data).toEqual({ policies: [{ id: read?.policy, name: 'Clerk' }] });
  });

  it('is not added to a policy that others also have', async () => {
    const [role, other] = [await makeRole('One'), await makeRole('Other')];
    const shared = await admin.post('/policies', { name: 'Shared', roles: [role, other] });
    const [made] = await rule(role, { read: true });
    expect(made?.policy).not.toBe(shared.data['id']);
    const [again] = await rule(role, { update: true });
    expect(again?.policy).toBe(made?.policy);
  });

  it('is refused for a role that does not exist, and creates no policy', async () => {
    const before = (await admin.get('/policies?fields=id')).body;
    const role = '00000000-0000-4000-8000-000000000000';
    const reply = await admin.post('/permissions', {
      collection: 'service_roles',
      read: true,
      role,
    });
    expect(reply.codes).toEqual(['INVALID_FOREIGN_KEY']);
    expect((await admin.get('/policies?fields=id')).body).toEqual(before);
  });

  it('is refused for a role that the caller cannot see like for one that does not exist', async () => {
    const whole = ['service_permissions', 'service_policies', 'service_access'].flatMap((name) => [
      create(name, ['*']),
      read(name, ['*']),
    ]);
    const seen = { name: { _starts_with: 'seen' } };
    const world = await seed(test, {
      policies: {
        giving: [...whole, read('service_roles', ['name'], seen)],
        own: [],
      },
      roles: { hidden: {}, hiddenWithOwn: { policies: ['own'] } },
      users: { gil: { policies: ['giving', 'own'] } },
    });
    const ask = (caller: string, role: string) =>
      world.as(caller).post('/permissions', {
        ...{ collection: 'service_permissions', action: 'read', fields: ['id'], role },
      });
    const none = (await ask('gil', '00000000-0000-4000-8000-000000000000')).text;
    expect(none).toContain('"field":"role"');
    for (const role of ['hidden', 'hiddenWithOwn']) {
      expect((await ask('gil', world.id(role) as string)).text).toBe(none);
    }
    expect((await ask('admin', world.id('hidden') as string)).codes).toEqual([]);
  });

  it('creates no policy if the rule itself is refused', async () => {
    const role = await makeRole('Nobody');
    const reply = await admin.post('/permissions', { collection: 'nothing', read: true, role });
    expect(reply.codes).toEqual(['INVALID_PAYLOAD']);
    expect((await admin.get(`/roles/${role}?fields=policies`)).data).toEqual({ policies: [] });
  });
});
