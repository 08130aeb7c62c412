import {
  type SeedData,
  create,
  read,
  remove,
  seed,
  update,
  withTables,
  type World,
} from '../factories';
import { startTestApp } from '../support';
import { enableTfa } from '../support/two-factor';
import { PASSWORD } from '../factories';

const whole = (collection: string) => [
  create(collection, ['*']),
  read(collection, ['*']),
  update(collection, ['*']),
  remove(collection),
];

/**
 * `dele` may write everything about people by the rules of `office`, and is not an administrator. They also hold
 * `clerk` and `strict`, which demands a second factor. They do not hold `secret`.
 */
const SEED: SeedData = {
  policies: {
    office: [
      ...['service_users', 'service_roles', 'service_access', 'service_permissions'].flatMap(whole),
      ...whole('service_policies'),
      read('service_settings', ['*']),
      update('service_settings', ['*']),
    ],
    clerk: [read('service_settings', ['project_name'])],
    strict: [],
    secret: [remove('service_settings'), read('service_users', ['email'])],
    loose: [read('service_users', ['email'])],
    wild: [remove('service_settings')],
    partial: [
      ...whole('service_permissions'),
      read('service_policies', ['*']),
      read('service_users', ['email', 'status'], { status: { _eq: 'draft' } }),
      update('service_users', ['title'], {}, { validation: { title: { _nnull: true } } }),
      read('service_roles', ['name']),
      update('service_roles', ['name']),
      remove('service_roles'),
    ],
    app: [],
    spare: [],
    narrow: [
      update('service_users', ['first_name'], { status: { _eq: 'draft' } }),
      create('service_users', ['title'], {}, { validation: { title: { _nnull: true } } }),
    ],
  },
  roles: {
    deputies: { policies: ['office', 'clerk', 'strict', 'narrow'] },
    clerks: { policies: ['clerk'] },
    chiefs: { policies: ['secret'] },
    juniors: { parent: 'chiefs' },
    above: {},
    below: { parent: 'above', policies: ['secret'] },
    house: {},
    guarded: { policies: ['strict'] },
    plain: {},
    spares: { policies: ['spare'] },
  },
  users: {
    dele: { role: 'deputies' },
    peer: { role: 'deputies' },
    cleo: { role: 'clerks', first_name: 'Cleo' },
    paul: { first_name: 'Paul' },
    boss: { policies: ['secret'] },
    jon: { role: 'juniors' },
    bea: { role: 'below' },
    // A role without policies, whose user has one.
    hugo: { role: 'house', policies: ['secret'] },
    gus: { role: 'guarded' },
    gone: { role: 'chiefs', status: 'suspended' },
    late: {},
    part: { policies: ['partial', 'app'] },
  },
};

interface AccessRow {
  readonly id: string;
  readonly user: string | null;
  readonly role: string | null;
  readonly policy: string;
}

/**
 * Adds what seed data cannot express: the access of `late` has ended, `strict` demands a second factor of `dele`,
 * `part` has `app`, and `dele` has `spare` until a date.
 */
export async function openDelegation(): Promise<World> {
  const world = await seed(await startTestApp(), SEED);
  const admin = world.as('admin');
  const ended = { user: world.id('late'), policy: world.id('secret') };
  await admin.post('/access', { ...ended, expires_at: '2020-01-01T00:00:00Z' });
  const spare = { user: world.id('dele'), policy: world.id('spare') };
  await admin.post('/access', { ...spare, expires_at: '2099-01-01T00:00:00Z' });
  for (const name of ['dele', 'peer']) await enableTfa(world.app, world.as(name), PASSWORD);
  await admin.patch(`/policies/${world.id('strict')}`, { enforce_tfa: true });
  await admin.patch(`/policies/${world.id('app')}`, { app_access: true });
  await admin.patch(`/permissions/${world.id('partial#10')}`, { explain: true });
  const rows = (await admin.get('/access?limit=-1')).data as unknown as AccessRow[];
  for (const row of rows) world.name(accessName(row, world), row.id);
  return withTables(world, []);
}

/** `<boss-secret>` is the access of `boss` to `secret`. */
function accessName({ user, role, policy }: AccessRow, world: World): string {
  const names = [...Object.keys(SEED.users ?? {}), ...Object.keys(SEED.roles ?? {})];
  const policies = Object.keys(SEED.policies ?? {});
  const bearer = names.find((name) => world.id(name) === (user ?? role)) ?? 'other';
  return `${bearer}-${policies.find((name) => world.id(name) === policy) ?? policy}`;
}
