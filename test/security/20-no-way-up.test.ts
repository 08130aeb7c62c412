import {
  add,
  by,
  change,
  changeAll,
  forbidden,
  numbered,
  playIn,
  type Scenario,
} from '../support/scenarios';
import { openDelegation } from './delegation';

const access = by('dele', 'service_access');
const roles = by('dele', 'service_roles');
const refused = { refused: 'FORBIDDEN' };
const drop = (id: string) => ({ operation: 'delete', id }) as const;
const silent = { silent: true } as const;

const ACCESS: Scenario[] = [
  access('cannot attach more to a user', add({ user: '<paul>', policy: '<secret>' }), refused),
  access('cannot attach more to themselves', add({ user: '<dele>', policy: '<secret>' }), refused),
  access('cannot attach more to a role', add({ role: '<plain>', policy: '<secret>' }), refused),
  access('cannot attach more to everyone', add({ policy: '<secret>' }), refused),
  access(
    'cannot attach anything to everyone, since some have more',
    add({ policy: '<clerk>' }),
    refused,
  ),
  access(
    'cannot attach anything to a user with more',
    add({ user: '<boss>', policy: '<clerk>' }),
    refused,
  ),
  access(
    'cannot attach anything to a role above one with more',
    add({ role: '<above>', policy: '<clerk>' }),
    refused,
  ),
  access(
    'cannot attach anything to a role whose user has more',
    add({ role: '<house>', policy: '<clerk>' }),
    refused,
  ),
  access(
    'cannot attach a policy that the same request creates',
    add({ user: '<paul>', policy: { name: 'x' } }),
    refused,
  ),
  access('can attach what they hold', add({ user: '<paul>', policy: '<clerk>' }), {
    query: { fields: ['user'] },
    gives: { user: '<paul>' },
  }),
  access('can attach what they hold to a role', add({ role: '<plain>', policy: '<clerk>' }), {
    query: { fields: ['role'] },
    gives: { role: '<plain>' },
  }),
  access('can detach what they hold', drop('<clerks-clerk>'), silent),
  access('cannot detach what they do not hold', drop('<boss-secret>'), refused),
  access('cannot detach a policy that demands a second factor', drop('<guarded-strict>'), refused),
  access(
    'cannot prolong an access',
    change('<late-secret>', { expires_at: null }),
    forbidden('expires_at'),
  ),
  access(
    'cannot let an access end',
    change('<boss-secret>', { expires_at: '2020-01-01T00:00:00Z' }),
    forbidden('expires_at'),
  ),
  access(
    'cannot let an access end that demands a second factor',
    change('<guarded-strict>', { expires_at: '2020-01-01T00:00:00Z' }),
    forbidden('expires_at'),
  ),
  access(
    'cannot move an access to themselves',
    change('<boss-secret>', { user: '<dele>' }),
    forbidden('user'),
  ),
  access(
    'cannot move an access to a role',
    change('<boss-secret>', { user: null, role: '<plain>' }),
    refused,
  ),
  access(
    'cannot change the policy of an access to one that they do not hold',
    change('<clerks-clerk>', { policy: '<secret>' }),
    forbidden('policy'),
  ),
  access(
    'cannot change the policy of an access that they do not hold',
    change('<boss-secret>', { policy: '<clerk>' }),
    forbidden('policy'),
  ),
  access(
    'cannot move an access to a role with more',
    changeAll(['<clerks-clerk>'], { role: '<juniors>' }),
    refused,
  ),
];

const SOONER = '2098-12-31T00:00:00Z';

/** Rights that they hold until a date they can neither keep nor pass on beyond that date. */
const FOR_A_WHILE: Scenario[] = [
  ...[null, '2099-01-01T00:00:01Z'].map((expires_at) =>
    access(
      `cannot prolong their own access to ${expires_at}`,
      change('<dele-spare>', { expires_at }),
      forbidden('expires_at'),
    ),
  ),
  access('can shorten their own access', change('<dele-spare>', { expires_at: SOONER }), {
    query: { fields: ['user'] },
    gives: { user: '<dele>' },
  }),
  access('cannot pass it on for ever', add({ user: '<paul>', policy: '<spare>' }), refused),
  access(
    'can pass it on for as long as they have it',
    add({ user: '<paul>', policy: '<spare>', expires_at: SOONER }),
    { query: { fields: ['user'] }, gives: { user: '<paul>' } },
  ),
  by('dele', 'service_users')(
    'cannot take a role that has it for ever',
    change('<dele>', { role: '<spares>' }),
    forbidden('role'),
  ),
  roles(
    'cannot create a role below one that has it for ever',
    add({ name: 'x', parent: '<spares>' }),
    {
      ...refused,
    },
  ),
];

const ROLES: Scenario[] = [
  roles(
    'cannot move a role below one with more',
    change('<plain>', { parent: '<chiefs>' }),
    forbidden('parent'),
  ),
  roles(
    'cannot move their own role',
    change('<deputies>', { parent: '<chiefs>' }),
    forbidden('parent'),
  ),
  roles(
    'cannot move a role away from one with more',
    change('<juniors>', { parent: null }),
    forbidden('parent'),
  ),
  roles(
    'cannot move a role above one with more',
    change('<above>', { parent: '<clerks>' }),
    forbidden('parent'),
  ),
  roles(
    'cannot move a role whose users have more',
    change('<house>', { parent: '<clerks>' }),
    forbidden('parent'),
  ),
  roles('cannot take a child from a role with more', change('<chiefs>', { children: [] }), refused),
  roles(
    'cannot add a child to a role with more',
    change('<chiefs>', { children: ['<juniors>', '<plain>'] }),
    refused,
  ),
  roles(
    'cannot create a role below one with more',
    add({ name: 'x', parent: '<juniors>' }),
    refused,
  ),
  roles('cannot create a role with more', add({ name: 'x', policies: ['<secret>'] }), refused),
  roles(
    'cannot create a role above one with more',
    add({ name: 'x', children: ['<chiefs>'] }),
    refused,
  ),
  roles(
    'cannot create a role for a user with more',
    add({ name: 'x', users: ['<boss>'] }),
    refused,
  ),
  roles(
    'cannot take a policy from a role with more',
    change('<chiefs>', { policies: [] }),
    refused,
  ),
  roles(
    'cannot take a policy away that demands a second factor',
    change('<guarded>', { policies: [] }),
    refused,
  ),
  roles('cannot delete a role with more', drop('<chiefs>'), refused),
  roles('cannot delete a role below one with more', drop('<juniors>'), refused),
  roles('cannot delete a role above one with more', drop('<above>'), refused),
  roles('cannot delete a role whose users have more', drop('<house>'), refused),
  roles('cannot delete a role that demands a second factor', drop('<guarded>'), refused),
  roles('can rename a role with more', change('<chiefs>', { name: 'heads' }), {
    query: { fields: ['name'] },
    gives: { name: 'heads' },
  }),
  roles('can move a role below one that they hold', change('<plain>', { parent: '<clerks>' }), {
    query: { fields: ['parent'] },
    gives: { parent: '<clerks>' },
  }),
  roles('can delete a role with what they hold', drop('<clerks>'), silent),
];

describe('20: by access and roles', () => {
  playIn({ open: openDelegation, scenarios: numbered(20, [...ACCESS, ...FOR_A_WHILE, ...ROLES]) });
});
