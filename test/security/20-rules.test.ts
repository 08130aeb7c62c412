import {
  add,
  addAll,
  by,
  change,
  dropAll,
  numbered,
  playIn,
  type Scenario,
} from '../support/scenarios';
import { openDelegation } from './delegation';

const rules = by('dele', 'service_permissions');
const policies = by('dele', 'service_policies');
const refused = { refused: 'FORBIDDEN' };
const silent = { silent: true } as const;

const on = (collection: string, action: string, more: object = {}): object => ({
  ...{ policy: '<loose>', collection, action, fields: ['*'], ...more },
});
const users = (action: string, more: object = {}): object => on('service_users', action, more);
const given = (it: string, data: object): Scenario =>
  rules(`can give ${it}`, add(data), {
    query: { fields: ['policy'] },
    gives: { policy: '<loose>' },
  });
const withheld = (it: string, data: object): Scenario =>
  rules(`cannot give ${it}`, add(data), refused);

const GIVING: Scenario[] = [
  given('a rule that they hold', users('read')),
  given('fewer fields than they hold', users('read', { fields: ['email'] })),
  given(
    'fewer rows than they hold',
    users('update', { permissions: { status: { _eq: 'draft' } } }),
  ),
  given(
    'a preset that they may write',
    users('update', { presets: { title: '$CURRENT_USER.title' } }),
  ),
  given('fields that they hold without a condition', users('update', { fields: ['first_name'] })),
  given('a delete rule, whose fields do not matter', users('delete')),
  withheld('a collection that they do not hold', on('service_activity', 'read')),
  withheld('an action that they do not hold', on('service_settings', 'delete')),
  withheld('an action that they hold on no collection', users('share')),
  withheld(
    'fields that they do not hold',
    on('service_settings', 'create', { fields: ['project_name'] }),
  ),
  rules(
    'cannot give a rule that they do not hold along with one that they do',
    addAll(users('read'), on('service_settings', 'delete')),
    refused,
  ),
  policies(
    'cannot give such a rule with a new policy',
    add({ name: 'x', permissions: [on('service_settings', 'delete', { policy: undefined })] }),
    refused,
  ),
  policies(
    'cannot give such a rule in the list of a policy',
    change('<loose>', {
      permissions: {
        create: [{ collection: 'service_settings', action: 'delete' }],
        update: [],
        delete: [],
      },
    }),
    refused,
  ),
];

const CHANGING: Scenario[] = [
  rules(
    'cannot widen a rule',
    change('<loose#1>', { collection: 'service_activity', fields: ['*'] }),
    refused,
  ),
  rules('cannot change the action of a rule', change('<loose#1>', { action: 'share' }), refused),
  rules('can narrow a rule', change('<loose#1>', { fields: ['id'] }), {
    query: { fields: ['fields'] },
    gives: { fields: ['id'] },
  }),
  rules('can move a rule that they hold', change('<loose#1>', { policy: '<clerk>' }), {
    query: { fields: ['policy'] },
    gives: { policy: '<clerk>' },
  }),
  rules(
    'cannot move a rule to a policy of theirs',
    change('<secret#1>', { policy: '<clerk>' }),
    refused,
  ),
  rules(
    'cannot narrow a rule that they do not hold',
    change('<secret#1>', { action: 'read' }),
    refused,
  ),
  ...[
    { permissions: { project_name: { _null: true } } },
    { validation: { project_name: { _null: true } } },
    { presets: { project_name: 'x' } },
    { fields: ['project_name'] },
  ].map((data) =>
    rules(
      `cannot change the ${Object.keys(data).join()} of a rule that they do not hold`,
      change('<secret#1>', data),
      refused,
    ),
  ),
  rules('can delete a rule that they hold', { operation: 'delete', id: '<loose#1>' }, silent),
  rules(
    'cannot delete a rule that they do not hold',
    { operation: 'delete', id: '<secret#1>' },
    refused,
  ),
  rules(
    'cannot delete several rules if they do not hold one of them',
    dropAll('<loose#1>', '<secret#1>'),
    refused,
  ),
  policies(
    'cannot remove a rule in the list of a policy',
    change('<secret>', { permissions: [] }),
    refused,
  ),
  policies(
    'cannot move a rule in the list of a policy',
    change('<clerk>', { permissions: ['<clerk#1>', '<secret#1>'] }),
    refused,
  ),
  policies(
    'cannot change a rule in the list of a policy',
    change('<secret>', {
      permissions: { create: [], update: [{ id: '<secret#1>', action: 'read' }], delete: [] },
    }),
    refused,
  ),
];

/** `part` holds rules, but none in full. */
const part = by('part', 'service_permissions');
const PARTS: Scenario[] = [
  part(
    'cannot give all rows while they hold some',
    add(users('read', { fields: ['email'] })),
    refused,
  ),
  part(
    'cannot give even those rows that they hold',
    add(users('read', { fields: ['email'], permissions: { status: { _eq: 'draft' } } })),
    refused,
  ),
  part(
    'cannot give without validation what is validated for them',
    add(users('update', { fields: ['title'] })),
    refused,
  ),
  part(
    'cannot give a field that they do not hold',
    add(on('service_roles', 'read', { fields: ['name', 'icon'] })),
    refused,
  ),
  part('cannot give all fields', add(on('service_roles', 'read')), refused),
  part(
    'cannot use a condition on a field that they do not read',
    add(on('service_roles', 'read', { fields: ['name'], permissions: { icon: { _eq: 'x' } } })),
    refused,
  ),
  part(
    'cannot use a condition through a relation that they do not read',
    add(
      on('service_roles', 'read', {
        fields: ['name'],
        permissions: { parent: { name: { _eq: 'x' } } },
      }),
    ),
    refused,
  ),
  part(
    'cannot validate a field that they do not read',
    add(on('service_roles', 'update', { fields: ['name'], validation: { icon: { _eq: 'x' } } })),
    refused,
  ),
  part(
    'cannot preset a field that they do not hold',
    add(on('service_roles', 'update', { fields: ['name'], presets: { icon: 'x' } })),
    refused,
  ),
  part(
    'cannot preset from a field that they do not read',
    add(
      on('service_roles', 'update', {
        fields: ['name'],
        presets: { name: '$CURRENT_USER.location' },
      }),
    ),
    refused,
  ),
  part(
    'cannot give rights that they have from app_access',
    add(on('service_settings', 'read', { fields: ['project_name'] })),
    refused,
  ),
  part(
    'cannot give without a comment what requires a comment from them',
    add(on('service_roles', 'delete', { fields: [] })),
    refused,
  ),
  part(
    'cannot remove the demand of a comment that applies to them',
    change('<partial#10>', { explain: false }),
    refused,
  ),
  part(
    'can give what requires a comment with the same demand',
    add(on('service_roles', 'delete', { fields: [], explain: true })),
    { query: { fields: ['explain'] }, gives: { explain: true } },
  ),
  part(
    'can give what they hold',
    add(on('service_roles', 'read', { fields: ['name'], permissions: { name: { _eq: 'x' } } })),
    {
      query: { fields: ['collection'] },
      gives: { collection: 'service_roles' },
    },
  ),
];

describe('20: by rules', () => {
  playIn({ open: openDelegation, scenarios: numbered(20, [...GIVING, ...CHANGING, ...PARTS]) });
});
