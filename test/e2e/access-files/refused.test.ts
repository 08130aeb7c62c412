import { AccessFilesService } from '../../../src/access-files';
import { seed, type World } from '../../factories';
import { startTestApp, type TestApp, type TestClient } from '../../support';

let app: TestApp;
let world: World;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  world = await seed(app);
  admin = world.as('admin');
});

afterAll(() => app.close());
afterEach(() => world.restore());

describe('a text in a rule that a file would read as a reference', () => {
  const rule = { collection: 'service_users', action: 'create', fields: ['email', 'title'] };

  it.each([
    ['permissions._or.0.title._eq', { permissions: { _or: [{ title: { _eq: '$ROLE(a)' } }] } }],
    ['validation.title._in.1', { validation: { title: { _in: ['b', '$POLICY()'] } } }],
    ['presets.title', { presets: { title: '$ROLE(editors)' } }],
  ])('is refused when it is written, and the error names its path: %s', async (field, filter) => {
    const policy = (await admin.post('/policies', { name: 'Editing' })).data['id'];
    const action = field.startsWith('permissions') ? 'read' : 'create';
    const written = { ...rule, ...filter, action };
    const named = { errors: [{ extensions: { code: 'INVALID_PAYLOAD', field } }] };
    const made = await admin.post('/permissions', { ...written, policy });
    expect([made.status, made.body]).toMatchObject([400, named]);
    const within = await admin.patch(`/policies/${String(policy)}`, { permissions: [written] });
    expect(within.status).toBe(400);
    const { data } = await admin.post('/permissions', { ...rule, action, policy });
    const changed = await admin.patch(`/permissions/${String(data['id'])}`, filter);
    expect([changed.status, changed.body]).toMatchObject([400, named]);
  });

  it('that is already stored makes the export fail, since it would be imported as something else', async () => {
    const policy = (await admin.post('/policies', { name: 'Editing' })).data['id'];
    const { data } = await admin.post('/permissions', { ...rule, policy });
    await app.database.query(
      `UPDATE service_permissions SET presets = '{"title": "$ROLE(a)"}' WHERE id = $1`,
      [data['id']],
    );
    await expect(app.app.get(AccessFilesService).export()).rejects.toThrow(
      `Rule ${String(data['id'])} of policy editing holds the text "$ROLE(a)", which a file would read as a reference`,
    );
  });
});

it('a property of a rule that no file can represent is refused when it is written', async () => {
  const policy = (await admin.post('/policies', { name: 'Editing' })).data['id'];
  const presets: unknown = JSON.parse('{"presets": {"a": [{"__proto__": 1}]}}');
  const rule = { collection: 'service_permissions', action: 'create', fields: ['*'], policy };
  const field = 'presets.presets.a.0.__proto__';
  const named = { errors: [{ extensions: { code: 'INVALID_PAYLOAD', field } }] };
  const made = await admin.post('/permissions', { ...rule, presets });
  expect([made.status, made.body]).toMatchObject([400, named]);
  const { data } = await admin.post('/permissions', rule);
  const changed = await admin.patch(`/permissions/${String(data['id'])}`, { presets });
  expect([changed.status, changed.body]).toMatchObject([400, named]);
});

describe('the last administrator', () => {
  it.each([
    ['by a file without a role or policy', 'version: 1\n'],
    [
      'by a file that makes the policy an ordinary one',
      'version: 1\nroles: {administrator: {name: Administrator, policies: [administrator]}}\npolicies: {administrator: {name: Administrator}}\n',
    ],
    [
      'by a file that attaches the policy to nobody',
      'version: 1\nroles: {administrator: {name: Administrator}}\npolicies: {administrator: {name: Administrator, admin_access: true}}\n',
    ],
  ])('is not removed %s, which a dry run refuses too', async (_, file) => {
    const before = await world.state();
    for (const dryRun of [true, false]) {
      await expect(
        app.app.get(AccessFilesService).apply(Buffer.from(file), { prune: true, dryRun }),
      ).rejects.toThrow(/would leave no active administrator/);
    }
    expect(await world.state()).toEqual(before);
  });
});

it('a file is not applied to a database that has no user yet, where nobody could be its administrator', async () => {
  await app.database.query('DELETE FROM service_users');
  for (const dryRun of [true, false]) {
    const applying = app.app
      .get(AccessFilesService)
      .apply(Buffer.from('version: 1\nroles: {a: {name: A}}\n'), { prune: false, dryRun });
    await expect(applying).rejects.toThrow(/^There is no user yet: start the service once/);
  }
  expect(await app.database.query(`SELECT FROM service_roles WHERE key = 'a'`)).toEqual([]);
});
