import { type SeedData, create, OWN_USER, read, remove, update } from '../factories';

const MINE = { owner: { _eq: '$CURRENT_USER' } } as const;

/** An ordinary user with partial rights of every kind, a user without rights, and their rows. */
export const SEED: SeedData = {
  policies: {
    public: [read('fuzz_notice', ['text'])],
    partial: [
      read('service_users', ['id', 'email', 'role', 'status', 'policies'], OWN_USER),
      read('service_users', ['first_name', 'tags', 'date_created'], { status: { _eq: 'active' } }),
      update('service_users', ['first_name', 'tags', 'title'], OWN_USER, {
        validation: { first_name: { _nempty: true } },
        presets: { language: 'en' },
      }),
      create(
        'service_users',
        ['email', 'first_name', 'tags'],
        {},
        {
          validation: { email: { _ends_with: '@example.com' } },
          presets: { status: 'draft' },
        },
      ),
      read('service_roles', ['id', 'name', 'parent', 'users'], { id: { _in: '$CURRENT_ROLES' } }),
      read('service_policies', ['id', 'name'], { name: { _neq: 'empty' } }),
      read('service_permissions', ['*'], { collection: { _starts_with: 'fuzz_' } }),
      create('service_permissions', ['collection', 'action', 'fields', 'policy'], {
        policy: { name: { _eq: 'empty' } },
      }),
      remove('service_permissions', { policy: { name: { _eq: 'empty' } } }),
      read('service_settings', ['project_name']),
      read('fuzz_things', ['*'], MINE),
      read('fuzz_things', ['id', 'name', 'amount', 'made', 'words', 'children', 'friends'], {
        colour: { _in: ['red', 'green'] },
      }),
      create('fuzz_things', ['*'], MINE, {
        validation: { amount: { _lt: 100 } },
        presets: { owner: '$CURRENT_USER', made: '$NOW' },
      }),
      update('fuzz_things', ['name', 'notes', 'more', 'words', 'day', 'children', 'friends'], MINE),
      remove('fuzz_things', { _and: [MINE, { ready: { _eq: false } }] }),
      read('fuzz_notice', ['*']),
      update('fuzz_notice', ['text', 'thing']),
    ],
    empty: [],
  },
  roles: {
    company: { policies: ['empty'] },
    staff: { parent: 'company', policies: ['partial'] },
    spare: {},
  },
  users: {
    ann: { role: 'staff', first_name: 'Ann', tags: ['a', 'b'] },
    ned: { role: 'spare' },
    sue: { status: 'suspended', role: 'spare' },
  },
};
