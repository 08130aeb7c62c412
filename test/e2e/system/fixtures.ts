import { type SeedData, OWN_USER, read, update } from '../../factories';

export const SEED: SeedData = {
  policies: {
    own: [
      read('service_users', ['email', 'first_name', 'role', 'policies'], OWN_USER),
      update('service_users', ['first_name', 'tags', 'password'], OWN_USER, {
        validation: { first_name: { _nempty: true } },
      }),
    ],
    team: [
      read('service_users', ['email', 'last_name', 'role'], { role: { _eq: '$CURRENT_ROLE' } }),
      read('service_roles', ['name', 'users'], { id: { _in: '$CURRENT_ROLES' } }),
    ],
    settler: [
      read('service_settings', ['project_name', 'default_language']),
      update(
        'service_settings',
        ['project_name'],
        {},
        {
          validation: { project_name: { _nempty: true } },
        },
      ),
    ],
    empty: [],
  },
  roles: {
    company: { policies: ['own'] },
    staff: { parent: 'company', policies: ['team'] },
    night: { parent: 'staff' },
    spare: {},
  },
  users: {
    ann: { role: 'staff', first_name: 'Ann', last_name: 'Alder', tags: ['a', 'b'] },
    bob: { role: 'night', first_name: 'Bob', last_name: 'Birch', title: 'Dr' },
    cid: { role: 'staff', policies: ['settler'], last_name: 'Cedar' },
    sue: { status: 'suspended', role: 'spare' },
  },
};
