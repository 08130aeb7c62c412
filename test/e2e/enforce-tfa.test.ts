import type { GraphQLSchema } from 'graphql';
import { GraphqlSchemas } from '../../src/graphql';
import { read, seed, update, type World, OWN_USER, emailOf, PASSWORD } from '../factories';
import {
  as,
  callOf,
  codeOf,
  enableTfa,
  changeBySql,
  forgetSteps,
  operationsOf,
  routesOf,
  signInWith,
  startTestApp,
  type TestApp,
} from '../support';

let test: TestApp;
let world: World;
let schema: GraphQLSchema;

beforeAll(async () => {
  test = await startTestApp();
  schema = test.app.get(GraphqlSchemas, { strict: false }).build('system');
  world = await seed(test, {
    policies: {
      public: [read('service_settings', ['project_name'])],
      careful: {
        rules: [read('service_users', ['*']), update('service_users', ['*'], OWN_USER)],
      },
      chief: { rules: [], admin_access: true },
    },
    roles: { staff: { policies: ['careful'] }, chiefs: { policies: ['careful', 'chief'] } },
    users: {
      ann: { role: 'staff', first_name: 'Ann' },
      bob: { role: 'chiefs' },
      cid: { policies: ['careful'] },
      dan: {},
      eve: { role: 'staff' },
      dee: { role: 'chiefs' },
    },
  });
});

afterAll(() => test.close());

const enforce = async (enforce_tfa: boolean): Promise<void> => {
  const policy = String(world.id('careful'));
  const reply = await world.as('admin').patch(`/policies/${policy}`, { enforce_tfa });
  expect(reply.status).toBe(200);
};

afterEach(() => enforce(false));

/** Public routes, which the policy does not bar. */
const PUBLIC =
  /^(GET \/(|server|admin|playground|docs|auth)(\/|$)|\w+ (\/auth\/|(\/users)?\/register\b|\/users\/invite\/accept$))/;
const PUBLIC_OPERATIONS = /^(auth_|users_register|users_invite_accept$)/;
const ALLOWED = ['GET /users/me', 'POST /users/me/tfa/enable', 'POST /users/me/tfa/generate'];
const ALLOWED_OPERATIONS = ['users_me', 'users_me_tfa_enable', 'users_me_tfa_generate'];
const BARRED = 'Set up two-factor authentication first: a policy of yours requires it.';

const pathOf = (route: string): string =>
  (route.split(' ')[1] ?? '')
    .replace(':collection', 'service_users')
    .replace(/:\w+/g, String(world.id('ann')));

const settings = (name: string | null) => world.as(name).get('/settings?fields=project_name');

describe('a policy with enforce_tfa', () => {
  it.each(['ann', 'bob', 'cid'])(
    'bars %s from every route except those that set two-factor up',
    async (name) => {
      expect((await world.as(name).get('/users')).status).toBe(200);
      await enforce(true);
      const open: string[] = [];
      for (const route of routesOf(test).filter((each) => !PUBLIC.test(each))) {
        const [method = ''] = route.split(' ');
        const body = ['GET', 'HEAD'].includes(method) ? undefined : {};
        const reply = await world.as(name).send(method, pathOf(route), body);
        if (!reply.text.includes(BARRED)) open.push(route);
        else expect([reply.status, reply.codes]).toEqual([403, ['FORBIDDEN']]);
      }
      expect(open.filter((route) => route !== 'POST /graphql/system').toSorted()).toEqual(ALLOWED);
    },
  );

  it.each(['ann', 'bob'])('bars %s from every operation except those', async (name) => {
    await enforce(true);
    const open: string[] = [];
    for (const { kind, name: field } of operationsOf(schema)) {
      const query = `${kind} { ${callOf(schema, kind, field)} }`;
      const reply = await world.as(name).post('/graphql/system', { query });
      if (!reply.text.includes(BARRED)) open.push(field);
    }
    const own = open.filter((field) => !PUBLIC_OPERATIONS.test(field));
    expect(own.toSorted()).toEqual(ALLOWED_OPERATIONS);
  });

  it('shows a barred administrator only the health of the service', async () => {
    const details = await world.as('bob').get('/server/health');
    expect(Object.keys(details.data)).toEqual(['status', 'checks']);
    await enforce(true);
    const { status, data } = await world.as('bob').get('/server/health');
    expect([status, data]).toEqual([200, { status: 'ok' }]);
  });

  it.each(['ann', 'bob'])('shows barred %s only the project', async (name) => {
    const before = await world.as(name).get('/server/info');
    expect(Object.keys(before.data)).toEqual(expect.arrayContaining(['project', 'queryLimit']));
    await enforce(true);
    const { status, data } = await world.as(name).get('/server/info');
    expect([status, Object.keys(data)]).toEqual([200, ['project']]);
  });

  it('leaves only the id and the e-mail address of the caller’s own profile', async () => {
    await enforce(true);
    const me = { id: world.id('ann'), email: emailOf('ann') };
    expect((await world.as('ann').get('/users/me')).data).toEqual(me);
    expect((await world.as('ann').get('/users/me?fields=first_name')).status).toBe(403);
    const query = '{ users_me { id email } }';
    const reply = await world.as('ann').post('/graphql/system', { query });
    expect(reply.data).toEqual({ users_me: me });
  });

  it('does not bar callers who are not signed in, or users it is not attached to', async () => {
    await enforce(true);
    for (const name of [null, 'dan', 'admin']) expect((await settings(name)).status).toBe(200);
    const attached = await world.as('admin').post('/access', { policy: world.id('careful') });
    expect((await settings(null)).status).toBe(200);
    expect((await settings('dan')).text).toContain(BARRED);
    const { id } = attached.data;
    // The policy now bars the administrator too, so it is detached by SQL.
    expect((await settings('admin')).text).toContain(BARRED);
    await changeBySql(test, 'DELETE FROM service_access WHERE id = $1::uuid', [id]);
    expect((await settings('admin')).status).toBe(200);
  });

  it('cannot be avoided by a user who is moved to a provider', async () => {
    await enforce(true);
    const eve = world.as('eve');
    expect((await eve.get('/users')).text).toContain(BARRED);
    const of = (provider: string) => ({ provider, external_identifier: 'eve' });
    const give = (values: object) =>
      world.as('admin').patch(`/users/${String(world.id('eve'))}`, values);
    // As a form sends back unchanged values.
    expect((await give({ provider: 'default', external_identifier: null })).status).toBe(200);
    expect((await eve.get('/users')).text).toContain(BARRED);
    expect((await give(of('acme'))).status).toBe(200);
    expect((await eve.get('/users')).codes).toEqual(['INVALID_CREDENTIALS']);
  });

  it('cannot be avoided by users who move themselves to a provider beforehand', async () => {
    const dee = world.as('dee');
    const own = { provider: 'acme', external_identifier: 'dee' };
    expect((await dee.patch(`/users/${String(world.id('dee'))}`, own)).status).toBe(200);
    expect((await dee.get('/users')).codes).toEqual(['INVALID_CREDENTIALS']);
  });

  it('takes effect with the next request after two-factor is set up or switched off', async () => {
    await enforce(true);
    const ann = world.as('ann');
    expect((await ann.get('/users')).status).toBe(403);
    const { secret, codes } = await enableTfa(test, ann, PASSWORD);
    expect((await ann.get('/users')).status).toBe(200);
    expect((await ann.post('/users/me/tfa/disable', { otp: codeOf(secret) })).status).toBe(204);
    expect((await ann.get('/users')).text).toContain(BARRED);
    const again = await enableTfa(test, ann, PASSWORD);
    expect((await ann.get('/users')).status).toBe(200);
    await world.as('admin').post(`/users/${String(world.id('ann'))}/tfa/disable`, {});
    expect((await ann.get('/users')).text).toContain(BARRED);
    expect(again.codes).not.toEqual(codes);
  });

  it('lets barred users sign in, refresh and sign out', async () => {
    await enforce(true);
    const { data, status } = await signInWith(test, emailOf('ann'), PASSWORD);
    expect(status).toBe(200);
    const { refresh_token } = data;
    const refreshed = await as(test).post('/auth/refresh', { refresh_token });
    expect(refreshed.status).toBe(200);
    const next = refreshed.data['refresh_token'];
    const out = await as(test).post('/auth/logout', { refresh_token: next });
    expect(out.status).toBe(204);
    await forgetSteps(test);
  });
});
