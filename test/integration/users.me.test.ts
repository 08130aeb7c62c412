import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

let test: TestApp;
let admin: string;
let token: string;
let id: string;
let role: string;
let policy: string;

const USER = { email: 'ada@example.com', password: 'long-enough-for-anyone' };

beforeAll(async () => {
  test = await startTestApp();
  admin = (await signIn(test, TEST_ADMIN)).access_token;
  const create = async (path: string, body: object): Promise<string> => {
    const reply = await as(test, admin).post(path, body);
    expect(reply.status).toBe(200);
    return String(reply.data['id']);
  };
  role = await create('/roles', { name: 'Reader' });
  policy = await create('/policies', { name: 'Reading' });
  id = await create('/users', { ...USER, first_name: 'Ada', role });
  await create('/users', { email: 'other@example.com', first_name: 'Other', role });
  await create('/access', { policy, user: id });
  token = (await signIn(test, USER)).access_token;
});

afterAll(() => test.close());

describe('the caller’s own profile', () => {
  it('shows every column, the role as its key, and of a secret only that it exists', async () => {
    const reply = await as(test, token).get('/users/me');
    expect(reply.status).toBe(200);
    expect(reply.data).toMatchObject({
      ...{ id, role, email: USER.email, first_name: 'Ada', status: 'active', tags: [] },
      ...{ password: '**********', tfa_secret: null, provider: 'default' },
    });
    expect(reply.text).not.toContain('$2b$');
  });

  it('shows which policies are attached, by id, and nothing more of them', async () => {
    const reply = await as(test, token).get('/users/me?fields=policies');
    expect(reply.data).toEqual({ policies: [policy] });
    const named = await as(test, token).get('/users/me?fields=policies.name');
    expect([named.status, named.codes]).toEqual([403, ['FORBIDDEN']]);
  });

  it('is shown by this route only, not in rules, reports or lists', async () => {
    const me = as(test, token);
    await me.get('/users/me');
    expect((await me.get('/users')).status).toBe(403);
    expect((await me.get(`/users/${id}`)).status).toBe(403);
    expect((await me.get('/permissions/me')).data).toEqual({});
  });

  it('shows the name of the role, and nothing else that the rules do not grant', async () => {
    const me = as(test, token);
    const named = await me.get('/users/me?fields=role.name,role.id');
    expect(named.data).toEqual({ role: { id: role, name: 'Reader' } });
    const reply = await me.get('/users/me?fields=role.icon');
    const missing = await me.get('/users/me?fields=role.no_such_field');
    expect([reply.status, missing.status]).toEqual([403, 403]);
  });

  it('shows the role as far as the rules grant it', async () => {
    const rule = {
      ...{ policy, collection: 'service_roles', action: 'read' },
      ...{ permissions: {}, fields: ['id', 'name', 'users'] },
    };
    expect((await as(test, admin).post('/permissions', rule)).status).toBe(200);
    const me = as(test, token);
    expect((await me.get('/users/me?fields=role.name')).data).toEqual({ role: { name: 'Reader' } });
    const others = await me.get('/users/me?fields=role.users.first_name');
    expect([others.status, others.text.includes('Other')]).toEqual([403, false]);
    expect((await me.get('/users/me?fields=role.icon')).status).toBe(403);
  });

  it('requires a caller who is signed in', async () => {
    const reply = await as(test).get('/users/me');
    expect([reply.status, reply.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
  });
});
