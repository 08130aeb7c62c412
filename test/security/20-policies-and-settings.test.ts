import { add, by, change, forbidden, numbered, playIn, type Scenario } from '../support/scenarios';
import { openDelegation } from './delegation';

const policies = by('dele', 'service_policies');
const settings = by('dele', 'service_settings');
const refused = { refused: 'FORBIDDEN' };
const drop = (id: string) => ({ operation: 'delete', id }) as const;
const silent = { silent: true } as const;

const ADMINISTERED = {
  admin_access: true,
  app_access: true,
  enforce_tfa: true,
  ip_access: ['10.0.0.0/8'],
};

const POLICIES: Scenario[] = [
  ...Object.entries(ADMINISTERED).flatMap(([field, value]) => [
    policies(
      `cannot create a policy with ${field}`,
      add({ name: 'x', [field]: value }),
      forbidden(field),
    ),
    policies(
      `cannot set ${field} of a policy`,
      change('<clerk>', { [field]: value }),
      forbidden(field),
    ),
  ]),
  policies(
    'cannot remove the demand of a second factor',
    change('<strict>', { enforce_tfa: false }),
    forbidden('enforce_tfa'),
  ),
  policies('cannot create a policy for a user', add({ name: 'x', users: ['<paul>'] }), refused),
  policies('cannot create a policy for a role', add({ name: 'x', roles: ['<plain>'] }), refused),
  policies(
    'cannot give a policy that they do not hold to users',
    change('<secret>', { users: ['<boss>', '<hugo>', '<late>', '<paul>'] }),
    refused,
  ),
  policies(
    'cannot take a policy that they do not hold from roles',
    change('<secret>', { roles: [] }),
    refused,
  ),
  policies('cannot delete a policy that they do not hold', drop('<secret>'), refused),
  policies('cannot delete a policy that demands a second factor', drop('<strict>'), refused),
  policies('cannot delete a policy with a rule that they do not hold', drop('<wild>'), refused),
  policies('can delete a policy that they hold', drop('<loose>'), silent),
  policies('can create a policy', add({ name: 'x', admin_access: false, ip_access: [] }), {
    query: { fields: ['name'] },
    gives: { name: 'x' },
  }),
];

const SETTINGS: Scenario[] = Object.entries({
  public_registration: true,
  public_registration_role: '<clerks>',
  public_registration_verify_email: false,
  public_registration_email_filter: { email: { _ends_with: '.example' } },
  auth_login_attempts: null,
  auth_password_policy: 'x',
}).map(([field, value]) =>
  settings(
    `cannot set ${field}`,
    { operation: 'updateSingleton', data: { [field]: value } },
    forbidden(field),
  ),
);

const NAMED = settings(
  'can rename the project',
  { operation: 'updateSingleton', data: { project_name: 'x' } },
  { query: { fields: ['project_name'] }, gives: { project_name: 'x' } },
);

describe('20: by policies and settings', () => {
  playIn({ open: openDelegation, scenarios: numbered(20, [...POLICIES, ...SETTINGS, NAMED]) });
});
