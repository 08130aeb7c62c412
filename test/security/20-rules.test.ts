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
  rules(`gives ${it}`, add(data), { query: { fields: ['policy'] }, gives: { policy: '<loose>' } });
const withheld = (it: string, data: object): Scenario =>
  rules(`does not give ${it}`, add(data), refused);

const GIVING: Scenario[] = [
  given('what they hold', users('read')),
  given('less of the fields', users('read', { fields: ['email'] })),
  given('less of the rows', users('update', { permissions: { status: { _eq: 'draft' } } })),
  given(
    'a preset that they may write',
    users('update', { presets: { title: '$CURRENT_USER.title' } }),
  ),
  given('what they hold beside a condition', users('update', { fields: ['first_name'] })),
  given('a delete, whose fields say nothing', users('delete')),
  withheld('a collection that they do not hold', on('service_activity', 'read')),
  withheld('an action that they do not hold', on('service_settings', 'delete')),
  withheld('an action that they hold nowhere', users('share')),
  withheld('fields beyond theirs', on('service_settings', 'create', { fields: ['project_name'] })),
  rules(
    'gives nothing beside what they hold',
    addAll(users('read'), on('service_settings', 'delete')),
    refused,
  ),
  policies(
    'gives nothing by a policy',
    add({ name: 'x', permissions: [on('service_settings', 'delete', { policy: undefined })] }),
    refused,
  ),
  policies(
    'gives nothing in the list of a policy',
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
    'widens no rule',
    change('<loose#1>', { collection: 'service_activity', fields: ['*'] }),
    refused,
  ),
  rules('makes no other action of a rule', change('<loose#1>', { action: 'share' }), refused),
  rules('narrows a rule', change('<loose#1>', { fields: ['id'] }), {
    query: { fields: ['fields'] },
    gives: { fields: ['id'] },
  }),
  rules('moves a rule that they hold', change('<loose#1>', { policy: '<clerk>' }), {
    query: { fields: ['policy'] },
    gives: { policy: '<clerk>' },
  }),
  rules(
    'moves no rule to a policy of theirs',
    change('<secret#1>', { policy: '<clerk>' }),
    refused,
  ),
  rules('narrows no rule that they do not hold', change('<secret#1>', { action: 'read' }), refused),
  rules('deletes a rule that they hold', { operation: 'delete', id: '<loose#1>' }, silent),
  rules('deletes none that they do not hold', { operation: 'delete', id: '<secret#1>' }, refused),
  rules('deletes none of several', dropAll('<loose#1>', '<secret#1>'), refused),
  policies(
    'takes no rule by the list of a policy',
    change('<secret>', { permissions: [] }),
    refused,
  ),
  policies(
    'moves no rule by the list of a policy',
    change('<clerk>', { permissions: ['<clerk#1>', '<secret#1>'] }),
    refused,
  ),
  policies(
    'changes no rule by the list of a policy',
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
    'gives nothing of rows of which they hold some',
    add(users('read', { fields: ['email'] })),
    refused,
  ),
  part(
    'gives not even what they hold of some rows',
    add(users('read', { fields: ['email'], permissions: { status: { _eq: 'draft' } } })),
    refused,
  ),
  part(
    'gives nothing that is validated for them',
    add(users('update', { fields: ['title'] })),
    refused,
  ),
  part(
    'gives no field beyond theirs',
    add(on('service_roles', 'read', { fields: ['name', 'icon'] })),
    refused,
  ),
  part('gives not all fields', add(on('service_roles', 'read')), refused),
  part(
    'gives no condition on what they do not read',
    add(on('service_roles', 'read', { fields: ['name'], permissions: { icon: { _eq: 'x' } } })),
    refused,
  ),
  part(
    'gives no condition through what they do not read',
    add(
      on('service_roles', 'read', {
        fields: ['name'],
        permissions: { parent: { name: { _eq: 'x' } } },
      }),
    ),
    refused,
  ),
  part(
    'presets no field beyond theirs',
    add(on('service_roles', 'update', { fields: ['name'], presets: { icon: 'x' } })),
    refused,
  ),
  part(
    'presets nothing of what they do not read',
    add(
      on('service_roles', 'update', {
        fields: ['name'],
        presets: { name: '$CURRENT_USER.location' },
      }),
    ),
    refused,
  ),
  part(
    'gives what app_access gives to nobody',
    add(on('service_settings', 'read', { fields: ['project_name'] })),
    refused,
  ),
  part(
    'gives nothing silently that they must explain',
    add(on('service_roles', 'delete', { fields: [] })),
    refused,
  ),
  part(
    'makes nothing silent that they must explain',
    change('<partial#10>', { explain: false }),
    refused,
  ),
  part(
    'gives what they must explain to be explained',
    add(on('service_roles', 'delete', { fields: [], explain: true })),
    { query: { fields: ['explain'] }, gives: { explain: true } },
  ),
  part(
    'gives what they hold',
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
