import { type SeedData, create, OWN_USER, read, remove, update } from '../../factories';

const OF_SAMPLE = { policy: { name: { _eq: 'sample' } } } as const;

/** `sample` has the rules that tests read and write; the others grant rights on these. */
export const SEED: SeedData = {
  policies: {
    // Nobody can write a rule that grants more than they hold themselves.
    holding: [
      read('service_users', ['*']),
      update('service_users', ['*']),
      read('service_roles', ['name']),
      remove('service_roles'),
    ],
    sample: [
      read('service_users', ['email', 'first_name'], { status: { _eq: 'active' } }),
      update('service_users', ['first_name'], OWN_USER, {
        validation: { first_name: { _nempty: true } },
        presets: { title: 'Dr' },
      }),
      remove('service_roles', { name: { _eq: 'spare' } }),
    ],
    readers: [
      read('service_permissions', ['collection', 'action', 'policy'], {
        ...OF_SAMPLE,
        collection: { _eq: 'service_users' },
      }),
    ],
    writers: [
      read('service_permissions', ['*'], OF_SAMPLE),
      read('service_policies', ['name'], { name: { _eq: 'sample' } }),
      create('service_permissions', ['collection', 'action', 'fields', 'policy'], OF_SAMPLE, {
        validation: { action: { _in: ['read', 'update'] } },
        presets: { permissions: { id: { _eq: '$CURRENT_USER' } } },
      }),
      update('service_permissions', ['fields', 'action', 'policy'], OF_SAMPLE, {
        validation: { action: { _in: ['read', 'update'] } },
      }),
      remove('service_permissions', { ...OF_SAMPLE, action: { _eq: 'read' } }),
    ],
    blind: [create('service_permissions', ['*']), update('service_permissions', ['*'])],
  },
  users: {
    rita: { policies: ['readers'] },
    will: { policies: ['writers', 'holding'] },
    bo: { policies: ['blind', 'sample', 'holding'] },
    ned: {},
  },
};
