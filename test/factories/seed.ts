import { as, signIn, TEST_ADMIN, type TestApp, type TestClient } from '../support';
import { type Cast, emailOf, PASSWORD, type PolicySeed } from './cast';
import type { RuleSeed } from './rules';
import { readState, restoreState, type State } from './state';

type Id = string | number;

/** A seeded application: its people, by name. */
export interface World {
  readonly app: TestApp;
  id(name: string): Id;
  /** Puts ids in place of names in angle brackets, anywhere in a value. */
  fill<T>(value: T): T;
  /** Gives a name to what was made after the cast came on. */
  name(name: string, id: Id): void;
  /** Somebody of the cast, signed in; null: nobody. */
  as(name: string | null): TestClient;
  /** Every row of the tables. */
  state(): Promise<State>;
  /** How everything was when the cast came on. */
  readonly start: State;
  /** Back to that. */
  restore(): Promise<void>;
}

const NAME = /<([\w #.-]+)>/g;

/** Brings a cast on, through the API, as the administrator. */
export async function seed(app: TestApp, cast: Cast = {}): Promise<World> {
  const admin = as(app, (await signIn(app, TEST_ADMIN)).access_token);
  const ids = await firstIds(admin);
  await seedPolicies(admin, ids, cast.policies ?? {});
  await seedRoles(admin, ids, cast.roles ?? {});
  await seedUsers(admin, ids, cast.users ?? {});
  const clients = new Map<string | null, TestClient>([
    ['admin', admin],
    [null, as(app)],
  ]);
  for (const name of Object.keys(cast.users ?? {})) {
    clients.set(name, await clientOf(app, name, cast));
  }
  const start = await readState(app);
  return {
    app,
    id: (name) => idOf(ids, name),
    fill: (value) => fill(value, ids),
    name: (name, id) => void ids.set(name, id),
    as: (name) => clients.get(name) ?? fail(`nobody is called ${name}`),
    state: () => readState(app),
    start,
    restore: () => restoreState(app, start),
  };
}

/** Somebody who is not active cannot sign in: they get a token that no longer serves. */
async function clientOf(app: TestApp, name: string, cast: Cast): Promise<TestClient> {
  const { status = 'active' } = cast.users?.[name] ?? {};
  if (status !== 'active') return as(app, 'not.a.token');
  return as(app, (await signIn(app, { email: emailOf(name), password: PASSWORD })).access_token);
}

/** The same world with a team’s tables, each after those that it refers to; it starts now. */
export async function withTables<T extends World>(world: T, tables: readonly string[]): Promise<T> {
  const start = await readState(world.app, tables);
  return {
    ...world,
    start,
    state: () => readState(world.app, tables),
    restore: () => restoreState(world.app, start, tables),
  };
}

type Ids = Map<string, Id>;

async function firstIds(admin: TestClient): Promise<Ids> {
  const me = await admin.get('/users/me?fields=id,role');
  const policies = await admin.get('/policies?sort=name&fields=id,name');
  const found = new Map((policies.data as unknown as Named[]).map(({ name, id }) => [name, id]));
  return new Map<string, Id>([
    ['admin', String(me.data['id'])],
    ['administrators', String(me.data['role'])],
    ['all', found.get('Administrator') ?? ''],
    ['public', found.get('Public') ?? ''],
  ]);
}

interface Named {
  readonly id: Id;
  readonly name: string;
}

const fullPolicy = (seeded: readonly RuleSeed[] | PolicySeed): PolicySeed =>
  'rules' in seeded ? seeded : { rules: seeded };

async function seedPolicies(
  admin: TestClient,
  ids: Ids,
  policies: NonNullable<Cast['policies']>,
): Promise<void> {
  for (const [name, seeded] of Object.entries(policies)) {
    const { rules, ...rest } = fullPolicy(seeded);
    if (!ids.has(name)) ids.set(name, (await make(admin, '/policies', { name, ...rest }))[0] ?? '');
    const policy = idOf(ids, name);
    const made = await make(
      admin,
      '/permissions',
      rules.map((rule) => ({ ...fill(rule, ids), policy })),
    );
    for (const [index, id] of made.entries()) ids.set(`${name}#${index + 1}`, id);
  }
}

async function seedRoles(
  admin: TestClient,
  ids: Ids,
  roles: NonNullable<Cast['roles']>,
): Promise<void> {
  for (const [name, { parent, policies = [] }] of Object.entries(roles)) {
    const role = {
      name,
      policies: policies.map((policy) => idOf(ids, policy)),
      ...(parent !== undefined && { parent: idOf(ids, parent) }),
    };
    ids.set(name, (await make(admin, '/roles', role))[0] ?? '');
  }
}

async function seedUsers(
  admin: TestClient,
  ids: Ids,
  users: NonNullable<Cast['users']>,
): Promise<void> {
  const rows = Object.entries(users).map(([name, { role, policies = [], ...rest }]) => ({
    email: emailOf(name),
    password: PASSWORD,
    ...rest,
    policies: policies.map((policy) => idOf(ids, policy)),
    ...(role !== undefined && { role: idOf(ids, role) }),
  }));
  const made = await make(admin, '/users', rows);
  for (const [index, name] of Object.keys(users).entries()) ids.set(name, made[index] ?? '');
}

/** @returns the ids of what was made; whatever the API refuses fails the test at once */
async function make(admin: TestClient, path: string, body: object): Promise<Id[]> {
  if (Array.isArray(body) && body.length === 0) return [];
  const reply = await admin.post(`${path}?fields=id`, body);
  if (reply.status !== 200) fail(`${path} ${JSON.stringify(body)}: ${reply.text}`);
  return ([reply.data].flat() as unknown as Named[]).map(({ id }) => id);
}

function fill<T>(value: T, ids: Ids): T {
  return substitute(value, ids) as T;
}

function substitute(value: unknown, ids: Ids): unknown {
  if (typeof value === 'string') return fillText(value, ids);
  if (Array.isArray(value)) return value.map((member) => substitute(member, ids));
  if (typeof value !== 'object' || value === null || isMatcher(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [fillText(key, ids), substitute(member, ids)]),
  );
}

/** `expect.any(String)` and the like stay what they are. */
const isMatcher = (value: object): boolean => '$$typeof' in value || 'asymmetricMatch' in value;

/** A name alone gives the id in its own type, so that the id of a rule is a number. */
function fillText(text: string, ids: Ids): unknown {
  const [whole, name] = /^<([\w #.-]+)>$/.exec(text) ?? [];
  if (whole !== undefined && name !== undefined) return idOf(ids, name);
  return text.replace(NAME, (_, each: string) => String(idOf(ids, each)));
}

const idOf = (ids: Ids, name: string): Id => ids.get(name) ?? fail(`nothing is called <${name}>`);

function fail(message: string): never {
  throw new Error(message);
}
