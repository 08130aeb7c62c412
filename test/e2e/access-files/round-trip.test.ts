import { AccessFilesService } from '../../../src/access-files';
import type { Difference } from '../../../src/access-files/access-files.service';
import { seed, type World } from '../../factories';
import { as, signIn, startTestApp, type TestApp, type TestClient } from '../../support';

/** Deletions are differences too. */
const PRUNING = { prune: true };

const PASSWORD = 'three-green-kettles';
let app: TestApp;
let world: World;
let admin: TestClient;
let files: AccessFilesService;

const idOf = async (path: string, body: object): Promise<string> => {
  const { status, data, text } = await admin.post(path, body);
  if (status !== 200) throw new Error(text);
  return String(data['id']);
};

/** A tree of roles, grants with and without an end, and rules that name roles and policies by their ids. */
async function createSampleRules(): Promise<void> {
  const staff = await idOf('/roles', { name: 'Staff', icon: 'badge' });
  const editors = await idOf('/roles', { name: 'Editors', parent: staff });
  const policy = await idOf('/policies', { name: 'Editing', ip_access: ['10.0.0.0/8', '::/0'] });
  const onCall = await idOf('/policies', { name: 'On call', admin_access: true });
  await idOf('/access', { policy, role: staff });
  await idOf('/access', { policy: onCall, role: editors, expires_at: '2999-01-01T00:00:00+01:00' });
  const rules = [
    { action: 'read', fields: ['id'], permissions: { role: { _in: [editors, staff] } } },
    {
      action: 'read',
      fields: ['last_name', 'email'],
      permissions: { id: { _eq: '$CURRENT_USER' } },
    },
    { action: 'create', fields: ['email'], presets: { role: editors, title: 'second' } },
    { action: 'create', fields: ['email'], presets: { title: 'first' }, explain: true },
    {
      action: 'update',
      fields: ['*'],
      validation: { policies: { _none: { id: { _eq: onCall.toUpperCase() } } } },
    },
  ];
  for (const rule of rules)
    await idOf('/permissions', { collection: 'service_users', policy, ...rule });
}

const bytes = (text: string): Buffer => Buffer.from(text);
const applied = (text: string, prune = false): Promise<Difference> =>
  files.apply(bytes(text), { prune, dryRun: false });
const summaryOf = ({ changes }: Difference): string[] =>
  changes.map(({ action, kind, key }) => `${action} ${kind} ${key}`);

beforeAll(async () => {
  app = await startTestApp();
  world = await seed(app);
  admin = world.as('admin');
  files = app.app.get(AccessFilesService);
});

afterAll(() => app.close());

afterEach(() => world.restore());

const text = async (): Promise<string> => (await files.export()).text;

describe('a file', () => {
  it('is the same, byte for byte, after it was applied to an empty database and exported again', async () => {
    await createSampleRules();
    const exported = await text();
    const other = await startTestApp();
    const elsewhere = other.app.get(AccessFilesService);
    expect(exported).toContain('$ROLE(editors)');
    expect(exported).toContain('$POLICY(on-call)');
    expect(exported).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    const difference = await elsewhere.apply(bytes(exported), { prune: true, dryRun: false });
    expect(difference.changes.length).toBeGreaterThan(10);
    expect((await elsewhere.export()).text).toBe(exported);
    expect((await elsewhere.diff(bytes(exported), PRUNING)).changes).toEqual([]);
    await other.close();
  });

  it('is the same at every export, and does not differ from the database it was exported from', async () => {
    await createSampleRules();
    const exported = await text();
    expect(await text()).toBe(exported);
    expect((await files.diff(bytes(exported), PRUNING)).changes).toEqual([]);
    expect((await applied(exported, true)).changes).toEqual([]);
  });

  it('shows what was changed by hand, and reverts it', async () => {
    await createSampleRules();
    const exported = await text();
    const { data } = await admin.get('/permissions?filter[action][_eq]=update&fields=id');
    const [rule] = data as unknown as { id: number }[];
    await admin.patch(`/permissions/${rule?.id}`, { fields: ['email'] });
    await admin.patch('/policies', {
      query: { filter: { name: { _eq: 'Editing' } } },
      data: { enforce_tfa: true },
    });
    const everyone = await idOf('/policies', { name: 'By hand' });
    await idOf('/access', { policy: everyone });
    await admin.delete('/access', { query: { filter: { role: { name: { _eq: 'Staff' } } } } });
    const difference = await files.diff(bytes(exported), PRUNING);
    expect(summaryOf(difference)).toEqual([
      'delete policy by-hand',
      'update policy editing',
      'delete grant * by-hand',
      'create grant staff editing',
      'update rule update service_users',
    ]);
    await applied(exported, true);
    expect(await text()).toBe(exported);
  });

  it('removes nothing without --prune', async () => {
    await createSampleRules();
    const lacking = (await text())
      .replace(/\npolicies:[^]*$/, '\n')
      .replace(/policies: \[.*\]|policies:\n.*policy: .*\n.*expires_at.*/g, '');
    const before = await text();
    expect(lacking).not.toContain('editing');
    const { changes, due } = await applied(lacking);
    expect(changes.length).toBeGreaterThan(8);
    expect(due).toEqual([]);
    expect(await text()).toBe(before);
  });
});

describe('a key', () => {
  it('stays the same when the file changes the name: the row, its users and rules are kept', async () => {
    await createSampleRules();
    const [role] = (await admin.get('/roles?filter[name][_eq]=Editors')).data as unknown as [
      { id: string },
    ];
    const user = await idOf('/users', {
      email: 'ann@example.com',
      password: PASSWORD,
      role: role.id,
    });
    const renamed = (await text())
      .replace('name: Editors', 'name: Writers')
      .replace('name: Editing', 'name: Writing');
    expect(summaryOf(await applied(renamed))).toEqual([
      'update role editors',
      'update policy editing',
    ]);
    expect((await admin.get(`/roles/${role.id}?fields=name`)).data).toEqual({ name: 'Writers' });
    expect((await admin.get(`/users/${user}?fields=role`)).data).toEqual({ role: role.id });
    expect(await text()).toBe(renamed);
  });

  it('stays when the name is changed by hand, once the role has been in a file', async () => {
    await createSampleRules();
    const exported = await text();
    await admin.patch('/roles', {
      query: { filter: { name: { _eq: 'Editors' } } },
      data: { name: 'Writers' },
    });
    expect(summaryOf(await files.diff(bytes(exported), PRUNING))).toEqual(['update role editors']);
  });

  it('is kept as it was exported, even if the role is renamed meanwhile', async () => {
    const role = await idOf('/roles', { name: 'Editors' });
    const carryOut = app.database.transaction.bind(app.database);
    const transactions = jest.spyOn(app.database, 'transaction');
    transactions.mockImplementation(async (...given) => {
      if (transactions.mock.calls.length === 2) {
        await admin.patch(`/roles/${role}`, { name: 'Writers' });
      }
      return carryOut(...given);
    });
    const exported = await text();
    transactions.mockRestore();
    // The export may still show the old name, but the key belongs to the same role.
    expect(summaryOf(await files.diff(bytes(exported), PRUNING))).not.toContain(
      'delete role writers',
    );
  });

  it('is assigned to a role of that name that has no key yet, and a note says so', async () => {
    await idOf('/roles', { name: 'Editors' });
    const file = `version: 1\nroles: {editors: {name: The editors}}`;
    const { notes } = await files.apply(bytes(file), { prune: false, dryRun: true });
    expect(notes).toEqual([
      'role editors was found by its name, since it has no key yet; 0 users have it',
    ]);
    await applied(file);
    expect((await admin.get('/roles?fields=name&sort=name')).data).toEqual([
      { name: 'Administrator' },
      { name: 'The editors' },
    ]);
    expect((await applied(file)).notes).toEqual([]);
  });
});

describe('with --prune, what the file lacks is deleted', () => {
  it('and its users lose the role', async () => {
    const before = await text();
    await createSampleRules();
    const [role] = (await admin.get('/roles?filter[name][_eq]=Editors')).data as unknown as [
      { id: string },
    ];
    const user = await idOf('/users', {
      email: 'ann@example.com',
      password: PASSWORD,
      role: role.id,
    });
    await text();
    const { notes } = await applied(before, true);
    expect(notes).toContain('role editors goes; 1 user has it');
    // One through the role itself, the other through its parent.
    expect(notes).toContain('policy on-call goes; 1 user has it');
    expect(notes).toContain('policy editing goes; 1 user has it');
    expect((await admin.get(`/users/${user}?fields=role`)).data).toEqual({ role: null });
    expect((await admin.get('/permissions')).data).toEqual([]);
    expect(await text()).toBe(before);
  });
});

it('a policy that a single user has is not attached to everyone by a file', async () => {
  const policy = await idOf('/policies', { name: 'Alone', admin_access: true });
  const before = await text();
  const user = await idOf('/users', { email: 'own@example.com', password: PASSWORD });
  await idOf('/access', { policy, user });
  expect(await text()).toBe(before);
});

describe('a role that the settings refer to', () => {
  it('is not deleted', async () => {
    const before = await text();
    const role = await idOf('/roles', { name: 'Newcomers' });
    await admin.patch('/settings', { public_registration_role: role });
    for (const dryRun of [true, false]) {
      await expect(files.apply(bytes(before), { prune: true, dryRun })).rejects.toMatchObject({
        status: 400,
      });
    }
    expect((await admin.get(`/roles/${role}?fields=name`)).data).toEqual({ name: 'Newcomers' });
    await admin.patch('/settings', { public_registration_role: null });
  });
});

describe('a dry run', () => {
  it('reports what would change, and changes nothing', async () => {
    await createSampleRules();
    const exported = await text();
    await world.restore();
    const before = await world.state();
    const { due } = await files.apply(bytes(exported), { prune: true, dryRun: true });
    expect(due.length).toBeGreaterThan(10);
    expect(await world.state()).toEqual(before);
  });

  it('is refused where the real run would be', async () => {
    const long = `version: 1\nroles:\n  a: {name: A}\npolicies:\n  p: {name: P, permissions: [{collection: service_users, action: read, fields: [shoe_size]}]}`;
    for (const dryRun of [true, false]) {
      await expect(files.apply(bytes(long), { prune: false, dryRun })).rejects.toThrow(
        /^5:\d+ names the field "shoe_size", which "service_users" does not have/,
      );
    }
    expect((await admin.get('/roles?filter[name][_eq]=A')).data).toEqual([]);
  });
});

describe('presets', () => {
  it('apply in the order of the file, even after that order has changed', async () => {
    const file = (first: string, second: string): string =>
      `version: 1\npolicies:\n  public:\n    name: Public\n    permissions:\n${[first, second].map((title) => `      - {collection: service_users, action: create, fields: [email], presets: {title: ${title}, status: draft}}`).join('\n')}\neveryone: [public]\n`;
    await applied(file('one', 'two'));
    await as(app).post('/users', { email: 'a@example.com' });
    await applied(file('two', 'one'));
    await as(app).post('/users', { email: 'b@example.com' });
    expect(
      (await admin.get('/users?fields=title&filter[title][_nnull]=true&sort=email')).data,
    ).toEqual([{ title: 'one' }, { title: 'two' }]);
  });
});

describe('what was applied', () => {
  it('takes effect with the next request, and so does its removal', async () => {
    const user = { email: 'ann@example.com', password: PASSWORD };
    await idOf('/users', user);
    const ann = as(app, (await signIn(app, user)).access_token);
    const before = await text();
    expect((await ann.get('/users')).status).toBe(403);
    await applied(`version: 1
policies:
  public:
    name: Public
    permissions: [{collection: service_users, action: read, fields: [email]}]
everyone: [public]
`);
    expect((await ann.get('/users?filter[email][_eq]=ann@example.com')).data).toEqual([
      expect.objectContaining({ email: 'ann@example.com' }),
    ]);
    await applied(before, true);
    expect((await ann.get('/users')).status).toBe(403);
  });
});
