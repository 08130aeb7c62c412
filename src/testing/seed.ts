import { Database } from '../database';
import { as, signedIn, type TestClient } from './clients';
import { emailOf, PASSWORD, type PolicySeed, type SeedData } from './seed-data';
import { type Id, Names } from './names';
import type { RuleSeed } from './rules';
import { fail, make, type Named, patch } from './seed-requests';
import { seedRows } from './seed-rows';
import { seedUsers } from './seed-users';
import { TEST_ADMIN, type TestApp } from './test-app';

/** A seeded application: clients of its users and ids of its rows, by the names in the seed data. */
export interface World {
  readonly app: TestApp;
  /**
   * The id of a user, role, policy, rule (`editors#3`) or row.
   * @throws Error where nothing has the name
   */
  id(name: string): Id;
  /**
   * A copy of the value with ids in place of names in angle brackets: `fill('/items/invoices/<first>')`. Objects and
   * lists are filled too, keys of objects included.
   * @throws Error where nothing has the name
   */
  fill<T>(value: T): T;
  /** Gives a name to something that the test itself has created. */
  name(name: string, id: Id): void;
  /**
   * The client of a seeded user, or of `admin`; it signs in again whenever its token has expired. `null`: signed out.
   * Some users cannot sign in: those who are not active, who have no password or address, and who belong to an external
   * provider. Their client sends a token that is refused.
   * @throws Error where no user has the name
   */
  as(name: string | null): TestClient;
}

/**
 * Creates users, roles, policies, rules and rows, as the administrator: rows through their collections, everything else
 * through the API. Hooks and checks run as for any write.
 *
 *     const world = await seed(app, {
 *       policies: { clerks: [read('invoices', ['*'], { owner: { _eq: '$CURRENT_USER' } })] },
 *       users: { ann: { policies: ['clerks'] } },
 *       rows: { invoices: { first: { number: 'A-1', owner: '<ann>' } } },
 *     });
 *     await world.as('ann').get(world.fill('/items/invoices/<first>'));
 *     await world.as('ann').graphql('{ invoices { number } }');
 *
 * @throws Error that names what was refused, and why: `rows.invoices.first was refused: … (INVALID_PAYLOAD)`
 */
export async function seed(app: TestApp, data: SeedData = {}): Promise<World> {
  const { policies = {}, roles = {}, users = {}, rows = {} } = data;
  refuseTaken({ policies, roles, users });
  const admin = await signedIn(app, TEST_ADMIN);
  const names = await firstNames(admin);
  await nameManaged(app, names);
  await seedPolicies(admin, names, policies);
  await seedRoles(admin, names, roles);
  const references = await seedUsers(admin, names, data);
  if (Object.keys(rows).length > 0) await seedRows(app.app, names, rows);
  for (const [name, fields] of references) {
    await patch(admin, `/users/${names.id(name)}`, names.fillRow(fields));
  }
  const clients = new Map<string | null, TestClient>([
    ['admin', admin],
    [null, as(app)],
  ]);
  for (const name of Object.keys(users)) clients.set(name, await clientOf(app, name, data));
  return {
    app,
    id: (name) => names.id(name),
    fill: (value) => names.fill(value),
    name: (name, id) => names.set(name, id),
    as: (name) => clients.get(name) ?? fail(`nobody is called ${name}`),
  };
}

/** Names that exist from the start, and whose meaning a test must not change. */
const TAKEN: ReadonlySet<string> = new Set(['admin', 'administrators', 'all']);

/** @throws Error: what is seeded under such a name would have all rights */
function refuseTaken(kinds: Readonly<Record<string, object>>): void {
  for (const [kind, seeded] of Object.entries(kinds)) {
    const taken = Object.keys(seeded).find((name) => TAKEN.has(name));
    if (taken !== undefined) fail(`${kind}.${taken}: this name exists from the start`);
  }
}

async function clientOf(app: TestApp, name: string, { users = {} }: SeedData): Promise<TestClient> {
  const { email = emailOf(name), password = PASSWORD, ...rest } = users[name] ?? {};
  const { status = 'active', provider = 'default' } = rest;
  const maySignIn = status === 'active' && provider === 'default';
  return maySignIn && typeof email === 'string' && typeof password === 'string'
    ? signedIn(app, { email, password })
    : as(app, 'not.a.token');
}

async function firstNames(admin: TestClient): Promise<Names> {
  const me = await admin.get('/users/me?fields=id,role');
  const policies = await admin.get<Named[]>('/policies?sort=name&fields=id,name');
  const found = new Map(policies.data.map(({ name, id }) => [name, id]));
  const names = new Names();
  names.set('admin', String(me.data['id']));
  names.set('administrators', String(me.data['role']));
  names.set('all', found.get('Administrator') ?? '');
  names.set('public', found.get('Public') ?? '');
  return names;
}

/** Roles and policies that come with modules are named by their keys. */
async function nameManaged({ app }: TestApp, names: Names): Promise<void> {
  const rows = await app.get(Database).query<{ id: string; key: string }>(MANAGED);
  for (const { id, key } of rows) names.set(key, id);
}

const MANAGED = `SELECT id, key FROM service_roles WHERE managed IS NOT NULL
  UNION ALL SELECT id, key FROM service_policies WHERE managed IS NOT NULL`;

const fullPolicy = (seeded: readonly RuleSeed[] | PolicySeed): PolicySeed =>
  'rules' in seeded ? seeded : { rules: seeded };

async function seedPolicies(
  admin: TestClient,
  names: Names,
  policies: NonNullable<SeedData['policies']>,
): Promise<void> {
  for (const [name, seeded] of Object.entries(policies)) {
    const { rules, ...rest } = fullPolicy(seeded);
    if (!names.has(name))
      names.set(name, (await make(admin, '/policies', { name, ...rest }))[0] ?? '');
    const policy = names.id(name);
    const made = await make(
      admin,
      '/permissions',
      rules.map((rule) => ({ ...names.fill(rule), policy })),
    );
    for (const [index, id] of made.entries()) names.set(`${name}#${index + 1}`, id);
  }
}

async function seedRoles(
  admin: TestClient,
  names: Names,
  roles: NonNullable<SeedData['roles']>,
): Promise<void> {
  for (const [name, { parent, policies = [] }] of Object.entries(roles)) {
    const role = {
      name,
      policies: policies.map((policy) => names.id(policy)),
      ...(parent !== undefined && { parent: names.id(parent) }),
    };
    names.set(name, (await make(admin, '/roles', role))[0] ?? '');
  }
}
