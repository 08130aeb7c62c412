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
    policies(`makes none with ${field}`, add({ name: 'x', [field]: value }), forbidden(field)),
    policies(`sets no ${field}`, change('<clerk>', { [field]: value }), forbidden(field)),
  ]),
  policies(
    'lifts no demand of a second factor',
    change('<strict>', { enforce_tfa: false }),
    forbidden('enforce_tfa'),
  ),
  policies('makes none for somebody', add({ name: 'x', users: ['<paul>'] }), refused),
  policies('makes none for a role', add({ name: 'x', roles: ['<plain>'] }), refused),
  policies(
    'gives more to nobody',
    change('<secret>', { users: ['<boss>', '<hugo>', '<late>', '<paul>'] }),
    refused,
  ),
  policies('takes more from nobody', change('<secret>', { roles: [] }), refused),
  policies('deletes none that somebody has more than', drop('<secret>'), refused),
  policies('deletes none that demands a second factor', drop('<strict>'), refused),
  policies('deletes none with a rule that they do not hold', drop('<wild>'), refused),
  policies('deletes one that they hold', drop('<loose>'), silent),
  policies('makes and renames one', add({ name: 'x', admin_access: false, ip_access: [] }), {
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
    `sets no ${field}`,
    { operation: 'updateSingleton', data: { [field]: value } },
    forbidden(field),
  ),
);

const NAMED = settings(
  'names the project',
  { operation: 'updateSingleton', data: { project_name: 'x' } },
  { query: { fields: ['project_name'] }, gives: { project_name: 'x' } },
);

describe('20: by policies and settings', () => {
  playIn({ open: openDelegation, scenarios: numbered(20, [...POLICIES, ...SETTINGS, NAMED]) });
});
