import type { State, World } from '../factories';
import type { Random } from '../fuzz/random';

export interface RandomWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

type Ids = Readonly<Record<'users' | 'roles' | 'policies' | 'access' | 'permissions', unknown[]>>;
type Item = Record<string, unknown>;

const STATUSES = ['active', 'suspended', 'draft', 'archived'];
const COLLECTIONS = ['service_users', 'service_roles', 'service_settings', 'service_activity'];
const ACTIONS = ['create', 'read', 'update', 'delete', 'share'];
const FIELDS = [['*'], ['id'], ['email'], ['name'], ['project_name']];

/** One write to a collection of users or rights, in any shape that the API accepts. */
export function randomWrite(random: Random, state: State): RandomWrite {
  const ids = Object.fromEntries(
    ['users', 'roles', 'policies', 'access', 'permissions'].map((name) => [
      name,
      (state[`service_${name}`] ?? []).map(({ id }) => id),
    ]),
  ) as Ids;
  const name = random.pick(['users', 'roles', 'policies', 'access', 'permissions'] as const);
  const make = (): Item => itemOf(name, random, ids, 0);
  const key = (): unknown => random.pick(ids[name]);
  const path = `/${name}`;
  return random.way<RandomWrite>([
    [5, () => ({ method: 'PATCH', path: `${path}/${String(key())}`, body: make() })],
    [1, () => ({ method: 'PATCH', path, body: { keys: [key(), key()], data: make() } })],
    [1, () => ({ method: 'PATCH', path, body: [key(), key()].map((id) => ({ id, ...make() })) })],
    [3, () => ({ method: 'POST', path, body: make() })],
    [1, () => ({ method: 'POST', path, body: [make(), make()] })],
    [1, () => ({ method: 'DELETE', path: `${path}/${String(key())}` })],
    [1, () => ({ method: 'DELETE', path, body: [key(), key()] })],
  ]);
}

function itemOf(name: keyof Ids, random: Random, ids: Ids, depth: number): Item {
  const all = FIELDS_OF[name](random, ids, depth);
  const required = Object.entries(all).filter(([field]) => NEEDED.includes(field));
  const others = random.some(Object.entries(all), 2);
  return Object.fromEntries([...required, ...others].map(([field, value]) => [field, value()]));
}

const NEEDED = ['name', 'policy', 'collection', 'action'];

type Fields = Readonly<Record<string, () => unknown>>;

const FIELDS_OF: Readonly<Record<keyof Ids, (random: Random, ids: Ids, depth: number) => Fields>> =
  {
    users: (random, ids, depth) => ({
      role: () => one('roles', random, ids, depth),
      policies: () => list('policies', random, ids, depth),
      status: () => random.pick(STATUSES),
      email: () => `u${random.int(1e9)}@example.com`,
      password: () => `open-sesame-${random.int(1e6)}`,
      title: () => 'x',
    }),
    roles: (random, ids, depth) => ({
      name: () => 'x',
      parent: () => one('roles', random, ids, depth),
      children: () => list('roles', random, ids, depth),
      users: () => list('users', random, ids, depth),
      policies: () => list('policies', random, ids, depth),
    }),
    policies: (random, ids, depth) => ({
      name: () => 'x',
      users: () => list('users', random, ids, depth),
      roles: () => list('roles', random, ids, depth),
      permissions: () => list('permissions', random, ids, depth),
      enforce_tfa: () => random.chance(0.5),
      admin_access: () => random.chance(0.5),
    }),
    access: (random, ids, depth) => ({
      policy: () => one('policies', random, ids, depth),
      user: () => one('users', random, ids, depth),
      role: () => one('roles', random, ids, depth),
      expires_at: () => random.pick([null, '2999-01-01T00:00:00Z', '2020-01-01T00:00:00Z']),
    }),
    permissions: (random, ids, depth) => ({
      policy: () => one('policies', random, ids, depth),
      collection: () => random.pick(COLLECTIONS),
      action: () => random.pick(ACTIONS),
      fields: () => random.pick(FIELDS),
    }),
  };

function one(name: keyof Ids, random: Random, ids: Ids, depth: number): unknown {
  return random.way<unknown>([
    [6, () => random.pick(ids[name])],
    [1, () => null],
    [depth < 2 ? 1 : 0, () => itemOf(name, random, ids, depth + 1)],
  ]);
}

function list(name: keyof Ids, random: Random, ids: Ids, depth: number): unknown {
  const keys = (): unknown[] => [...new Set(random.some(ids[name], 2))];
  const item = (): Item => itemOf(name, random, ids, depth + 1);
  return random.way<unknown>([
    [4, keys],
    [
      depth < 2 ? 2 : 0,
      () => ({
        create: random.times(random.int(2), item),
        update: keys().map((id) => ({ id, ...item() })),
        delete: keys(),
      }),
    ],
  ]);
}

export const send = (world: World, { method, path, body }: RandomWrite) => {
  const client = world.as('dele');
  if (method === 'POST') return client.post(path, body);
  return method === 'PATCH' ? client.patch(path, body) : client.delete(path, body);
};
