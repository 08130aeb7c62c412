import { Module } from '@nestjs/common';
import { type ManagedPolicy, type ManagedRules, provideRules } from 'doorward';
import { AccessFilesService } from '../../../src/access-files';
import { seed, type World } from '../../factories';
import {
  makeLastingStorage,
  refusalOf,
  startTestApp,
  type TestApp,
  type TestStorage,
} from '../../support';

/** Deletions are differences too. */
const PRUNING = { prune: true };

/** Several starts on one database. */
jest.setTimeout(600_000);

const clerks = (name: string, fields: readonly string[]): ManagedPolicy => ({
  name,
  permissions: [
    {
      ...{ collection: 'service_users', action: 'read', fields },
      permissions: { role: { _eq: '$ROLE(office)' } },
    },
    { collection: 'service_roles', action: 'read', fields: ['name'] },
  ],
});

const open: ManagedPolicy = {
  name: 'Open',
  permissions: [{ collection: 'service_policies', action: 'read', fields: ['name', 'managed'] }],
};

const FIRST: ManagedRules = {
  key: 'invoicing',
  version: 3,
  roles: { office: { name: 'Office', policies: ['clerks'] } },
  policies: { clerks: clerks('Clerks', ['email']), auditors: { name: 'Auditors' }, open },
  everyone: ['open'],
};

/** The clerks get one more field, and the auditors are removed. */
const SECOND: ManagedRules = {
  ...FIRST,
  version: 4,
  policies: { clerks: clerks('All clerks', ['email', 'first_name']), open },
};

/** Attaches to everybody a policy that a file has already attached. */
const THIRD: ManagedRules = { ...SECOND, version: 5, everyone: ['clerks', 'open'] };

let storage: TestStorage;
let app: TestApp;
let world: World;

function moduleOf(rules: ManagedRules): new () => object {
  @Module({ providers: [provideRules(rules)] })
  class InvoicingModule {}
  return InvoicingModule;
}

const start = (rules: ManagedRules): Promise<TestApp> =>
  startTestApp({ storage: storage.storage, imports: [moduleOf(rules)], logger: false });

async function restart(rules: ManagedRules): Promise<void> {
  await app.close();
  app = await start(rules);
}

const stored = async (): Promise<Record<string, unknown[]>> => ({
  policies: await app.database.query(
    'SELECT key, name, managed FROM service_policies WHERE managed IS NOT NULL ORDER BY key',
  ),
  rules: await app.database.query(
    'SELECT collection, action, fields, managed FROM service_permissions WHERE managed IS NOT NULL ORDER BY id',
  ),
  access: await app.database.query(
    'SELECT managed FROM service_access WHERE managed IS NOT NULL ORDER BY role NULLS LAST',
  ),
});

beforeAll(async () => {
  storage = await makeLastingStorage();
  app = await start(FIRST);
  world = await seed(app, {
    policies: { own: [] },
    roles: { staff: { policies: ['own'] } },
    users: { ann: { role: 'office' }, bob: { policies: ['clerks', 'auditors'] } },
  });
});

afterAll(async () => {
  await app.close();
  await storage.drop();
});

it('rules of a module exist after the first start, and are attached by their keys', async () => {
  expect(await stored()).toEqual({
    policies: [
      { key: 'auditors', name: 'Auditors', managed: 'invoicing' },
      { key: 'clerks', name: 'Clerks', managed: 'invoicing' },
      { key: 'open', name: 'Open', managed: 'invoicing' },
    ],
    rules: [
      { collection: 'service_roles', action: 'read', fields: ['name'] },
      { collection: 'service_users', action: 'read', fields: ['email'] },
      { collection: 'service_policies', action: 'read', fields: ['managed', 'name'] },
    ].map((rule) => expect.objectContaining({ ...rule, managed: 'invoicing' }) as object),
    access: [{ managed: 'invoicing' }, { managed: 'invoicing' }],
  });
  for (const name of ['ann', 'bob']) {
    const { data } = await world.as(name).get('/users');
    expect(data).toEqual([{ id: world.id('ann'), email: 'ann@example.com' }]);
  }
  const { data } = await world.as(null).get('/policies?filter[managed][_null]=true&sort=name');
  expect(data).toContainEqual({ id: world.id('own'), name: 'own', managed: null });
  expect(data).not.toContainEqual(expect.objectContaining({ name: 'Clerks' }));
});

const NAMED = { code: 'FORBIDDEN', managed: 'invoicing' };
const refused = {
  errors: [expect.objectContaining({ extensions: expect.objectContaining(NAMED) as object })],
};

const rule = { collection: 'service_users', action: 'update', fields: ['*'] };

it.each<[string, string, string, object | undefined]>([
  ['a policy is changed', 'PATCH', '/policies/<clerks>', { name: 'Mine' }],
  ['a policy is declared unmanaged', 'PATCH', '/policies/<clerks>', { managed: null }],
  [
    'several are changed',
    'PATCH',
    '/policies',
    { keys: ['<own>', '<clerks>'], data: { icon: 'x' } },
  ],
  ['a policy is deleted', 'DELETE', '/policies/<clerks>', undefined],
  ['several are deleted', 'DELETE', '/policies', ['<own>', '<auditors>']],
  ['a role is changed', 'PATCH', '/roles/<office>', { parent: '<staff>' }],
  ['a role is deleted', 'DELETE', '/roles/<office>', undefined],
  ['a rule is added', 'POST', '/permissions', { ...rule, policy: '<clerks>' }],
  [
    'a rule is added in a nested write',
    'PATCH',
    '/policies/<clerks>',
    { permissions: { create: [rule] } },
  ],
  ['all rules are removed', 'PATCH', '/policies/<clerks>', { permissions: [] }],
  ['a rule is changed', 'PATCH', '/permissions/<rule>', { fields: ['*'] }],
  ['a rule is moved away', 'PATCH', '/permissions/<rule>', { policy: '<own>' }],
  ['a rule is deleted', 'DELETE', '/permissions/<rule>', undefined],
  ['managed access is removed', 'PATCH', '/roles/<office>', { policies: [] }],
  ['everybody’s access is changed', 'PATCH', '/access/<everyone>', { expires_at: '2020-01-01' }],
])('%s: refused even to an administrator, and nothing changes', async (_, method, path, body) => {
  const [found] = await app.database.query<{ id: number; access: string }>(
    `SELECT rule.id, access.id AS access FROM service_permissions rule, service_access access
     WHERE rule.managed IS NOT NULL AND access.managed IS NOT NULL AND access.role IS NULL`,
  );
  world.name('rule', found?.id ?? 0);
  world.name('everyone', found?.access ?? '');
  const before = await stored();
  const reply = await world.as('admin').send(method, world.fill(path), world.fill(body));
  expect([reply.status, reply.body]).toEqual([403, refused]);
  expect(await stored()).toEqual(before);
});

it.each<[string, string]>([
  ['policy', 'update_policies_item(id: "<clerks>", data: { name: "Mine" }) { id }'],
  ['role', 'delete_roles_item(id: "<office>") { id }'],
  ['rule', 'delete_permissions_items(ids: ["<rule>"]) { ids }'],
])('a %s is refused in GraphQL as well', async (_, operation) => {
  const query = world.fill(`mutation { ${operation} }`);
  const { body, codes } = await world.as('admin').graphql(query, {}, '/graphql/system');
  expect([body, codes]).toEqual([expect.objectContaining(refused), ['FORBIDDEN']]);
});

it('a fault of an earlier item of the list is reported first', async () => {
  const list = ['<own>', '<clerks>'].map((id) => ({ id, ip_access: ['nowhere'] }));
  const send = (body: object) => world.as('admin').patch('/policies', world.fill(body));
  expect((await send(list)).codes).toEqual(['INVALID_PAYLOAD']);
  expect((await send(list.toReversed())).codes).toEqual(['FORBIDDEN']);
});

it('no one can mark anything as managed, or move a rule into a managed policy', async () => {
  const admin = world.as('admin');
  const made = await admin.post('/policies', { name: 'Sent back', managed: null });
  expect(made.status).toBe(200);
  const path = `/policies/${String(made.data['id'])}`;
  expect((await admin.post('/policies', { name: 'x', managed: 'invoicing' })).status).toBe(400);
  expect((await admin.patch(path, { managed: 'invoicing' })).status).toBe(400);
  expect((await admin.patch(path, { name: 'Again', managed: null })).status).toBe(200);
  const own = await admin.post('/permissions', { ...rule, policy: world.id('own') });
  const moved = { policy: world.id('clerks') };
  const reply = await admin.patch(`/permissions/${String(own.data['id'])}`, moved);
  expect([reply.status, reply.body]).toEqual([403, refused]);
});

it('a rule for a role is not added to the policy that a module attaches to it', async () => {
  const made = await world
    .as('admin')
    .post('/permissions?fields=policy.name,policy.managed', { ...rule, role: world.id('office') });
  expect(made.data).toEqual({ policy: { name: 'Office', managed: null } });
});

it('clients can still attach managed policies, detach them, and give managed roles child roles', async () => {
  const admin = world.as('admin');
  const staff = `/roles/${world.id('staff')}`;
  const both = { policies: [world.id('own'), world.id('clerks')] };
  expect((await admin.patch(staff, both)).status).toBe(200);
  expect((await admin.patch(`/policies/${world.id('auditors')}`, { users: [] })).status).toBe(200);
  const child = await admin.post('/roles', { name: 'Front office', parent: world.id('office') });
  expect(child.status).toBe(200);
});

describe('files', () => {
  const bytes = (text: string): Buffer => Buffer.from(text);
  const files = (): AccessFilesService => app.app.get(AccessFilesService);

  it('list the attachments of managed policies, but not the policies; attachments missing from a file are kept', async () => {
    const { text } = await files().export();
    expect(text).not.toContain('clerks:');
    expect(text).toMatch(/staff:\n {4}name: staff\n {4}policies: \[clerks, own\]/);
    expect(text).toMatch(/parent: office/);
    expect(text).not.toContain('open');
    expect((await files().diff(bytes(text), PRUNING)).changes).toEqual([]);
    const before = await stored();
    const admins = /\n {2}administrator:\n(?: {4}.*\n)+/g;
    const [role = '', policy = ''] = text.match(admins) ?? [];
    const least = `version: 1\nroles:${role}policies:${policy}`;
    await files().apply(bytes(least), { prune: true, dryRun: true });
    await files().apply(bytes(least), { prune: true, dryRun: false });
    expect(await stored()).toEqual(before);
    await files().apply(bytes(text), { prune: true, dryRun: false });
  });

  it('cannot describe managed policies and roles', async () => {
    const file = 'version: 1\npolicies:\n  clerks: {name: Mine}\n';
    await expect(files().apply(bytes(file), { prune: false, dryRun: false })).rejects.toThrow(
      '3:3 is managed by a module',
    );
  });
});

it('a higher version is applied, and attachments stay', async () => {
  await restart(SECOND);
  const { policies, rules } = await stored();
  expect(policies).toEqual([
    { key: 'clerks', name: 'All clerks', managed: 'invoicing' },
    { key: 'open', name: 'Open', managed: 'invoicing' },
  ]);
  expect(rules).toHaveLength(3);
  const [clerk] = await app.database.query<{ id: string }>(
    `SELECT id FROM service_policies WHERE key = 'clerks'`,
  );
  expect(clerk?.id).toBe(world.id('clerks'));
  const held = await app.database.query<{ name: string }>(
    `SELECT coalesce(role.name, "user".email) AS name FROM service_access access
     LEFT JOIN service_roles role ON role.id = access.role
     LEFT JOIN service_users "user" ON "user".id = access."user"
     WHERE access.policy = $1`,
    [clerk?.id],
  );
  expect(held.map(({ name }) => name).toSorted()).toEqual(['Office', 'bob@example.com', 'staff']);
});

it('a lower version is not applied; the same version with other rules stops the start', async () => {
  const before = await stored();
  await restart(FIRST);
  expect(await stored()).toEqual(before);
  await app.close();
  expect((await refusalOf(start({ ...SECOND, everyone: [] }))).message).toContain(
    'The rules "invoicing" differ from those of version 4 in the database: raise their version.',
  );
  const taken = { key: 'other', version: 1, policies: { own: { name: 'Own' } } };
  expect((await refusalOf(start(taken))).message).toContain(
    'The rules "other" define the policy "own", but one with that key was created here',
  );
  app = await start(SECOND);
});

it('a file still matches after a new version attaches what the file attaches already', async () => {
  const files = (): AccessFilesService => app.app.get(AccessFilesService);
  const { text } = await files().export();
  const attached = Buffer.from(`${text.replace(/everyone: .*\n/, '')}everyone: [clerks]\n`);
  await files().apply(attached, { prune: true, dryRun: false });
  await restart(THIRD);
  expect((await files().diff(attached, PRUNING)).changes).toEqual([]);
  await files().apply(attached, { prune: true, dryRun: false });
});

it('a new version is applied even if another rule cannot be written to a file', async () => {
  await app.database.query(
    `UPDATE service_permissions SET presets = '{"title": "$ROLE(a)"}' WHERE managed IS NULL`,
  );
  await restart({ ...THIRD, version: 6 });
  const [applied] = await app.database.query('SELECT version FROM service_managed_rules');
  expect(applied).toEqual({ version: 6 });
});
