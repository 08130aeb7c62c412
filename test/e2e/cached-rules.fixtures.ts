import { type SeedData, OWN_USER, read, update } from '../factories';

/** Rights are cached: every change of them must take effect with the next request. */
export const SEED: SeedData = {
  policies: {
    seeing: [read('service_users', ['email', 'role'], { status: { _eq: 'active' } })],
    naming: [
      read('service_users', ['first_name'], OWN_USER),
      update('service_users', ['first_name'], OWN_USER),
    ],
    calling: [read('service_users', ['title'], { title: { _eq: '$CURRENT_USER.title' } })],
    grading: [
      read('service_users', ['location'], { location: { _eq: '$CURRENT_ROLE.description' } }),
    ],
    ruling: { rules: [], admin_access: true },
    public: [],
  },
  roles: { top: {}, low: { parent: 'top' }, other: { policies: ['seeing'] } },
  users: {
    amy: { role: 'low', first_name: 'Amy', title: 'Dr', location: 'here' },
    bob: { title: 'Mr' },
  },
};

export type Step = readonly [method: 'post' | 'patch' | 'delete', path: string, body?: unknown];

export interface Change {
  readonly it: string;
  /** Amy by default; null: not signed in. */
  readonly caller?: string | null;
  /** Requests before the first check. */
  readonly given?: readonly Step[];
  readonly before: string;
  readonly change: Step;
  readonly after: string;
}

export const attach = (principal: object, policy: string): Step => [
  'post',
  '/access',
  { policy, ...principal },
];
export const AMY = { user: '<amy>' };
export const NOTHING = 'nothing';
export const ALL = '3: email id role';
export const OWN_NAME = '1: first_name id';
export const assignPolicies = (policies: string[]): Step => ['patch', '/users/<amy>', { policies }];
