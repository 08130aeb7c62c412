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
  access('attaches no more to somebody', add({ user: '<paul>', policy: '<secret>' }), refused),
  access('attaches no more to themselves', add({ user: '<dele>', policy: '<secret>' }), refused),
  access('attaches no more to a role', add({ role: '<plain>', policy: '<secret>' }), refused),
  access('attaches no more to everyone', add({ policy: '<secret>' }), refused),
  access(
    'attaches nothing to everyone, some of whom have more',
    add({ policy: '<clerk>' }),
    refused,
  ),
  access('attaches nothing to who has more', add({ user: '<boss>', policy: '<clerk>' }), refused),
  access(
    'attaches nothing above who has more',
    add({ role: '<above>', policy: '<clerk>' }),
    refused,
  ),
  access(
    'attaches nothing where somebody has more',
    add({ role: '<house>', policy: '<clerk>' }),
    refused,
  ),
  access(
    'attaches a policy that is made with it to nobody',
    add({ user: '<paul>', policy: { name: 'x' } }),
    refused,
  ),
  access('attaches what they hold', add({ user: '<paul>', policy: '<clerk>' }), {
    query: { fields: ['user'] },
    gives: { user: '<paul>' },
  }),
  access('attaches what they hold to a role', add({ role: '<plain>', policy: '<clerk>' }), {
    query: { fields: ['role'] },
    gives: { role: '<plain>' },
  }),
  access('detaches what they hold', drop('<clerks-clerk>'), silent),
  access('detaches nothing that they do not hold', drop('<boss-secret>'), refused),
  access('detaches nothing that demands a second factor', drop('<guarded-strict>'), refused),
  access(
    'prolongs nothing',
    change('<late-secret>', { expires_at: null }),
    forbidden('expires_at'),
  ),
  access(
    'lets nothing end',
    change('<boss-secret>', { expires_at: '2020-01-01T00:00:00Z' }),
    forbidden('expires_at'),
  ),
  access(
    'lets nothing end that demands a second factor',
    change('<guarded-strict>', { expires_at: '2020-01-01T00:00:00Z' }),
    forbidden('expires_at'),
  ),
  access(
    'moves nothing to themselves',
    change('<boss-secret>', { user: '<dele>' }),
    forbidden('user'),
  ),
  access(
    'moves nothing to a role',
    change('<boss-secret>', { user: null, role: '<plain>' }),
    refused,
  ),
  access(
    'makes no other policy of an access',
    change('<clerks-clerk>', { policy: '<secret>' }),
    forbidden('policy'),
  ),
  access(
    'makes nothing of what they do not hold',
    change('<boss-secret>', { policy: '<clerk>' }),
    forbidden('policy'),
  ),
  access(
    'moves nothing to who has more',
    changeAll(['<clerks-clerk>'], { role: '<juniors>' }),
    refused,
  ),
];

const SOONER = '2098-12-31T00:00:00Z';

/** Rights that they hold until a date they can neither keep nor pass on beyond that date. */
const FOR_A_WHILE: Scenario[] = [
  ...[null, '2099-01-01T00:00:01Z'].map((expires_at) =>
    access(
      `prolongs nothing of their own, as to ${expires_at}`,
      change('<dele-spare>', { expires_at }),
      forbidden('expires_at'),
    ),
  ),
  access('shortens what is their own', change('<dele-spare>', { expires_at: SOONER }), {
    query: { fields: ['user'] },
    gives: { user: '<dele>' },
  }),
  access('passes nothing on for ever', add({ user: '<paul>', policy: '<spare>' }), refused),
  access(
    'passes it on for as long as they have it',
    add({ user: '<paul>', policy: '<spare>', expires_at: SOONER }),
    { query: { fields: ['user'] }, gives: { user: '<paul>' } },
  ),
  by('dele', 'service_users')(
    'takes no role that has it for ever',
    change('<dele>', { role: '<spares>' }),
    forbidden('role'),
  ),
  roles('makes nobody bear a role that has it for ever', add({ name: 'x', parent: '<spares>' }), {
    ...refused,
  }),
];

const ROLES: Scenario[] = [
  roles('moves no role below more', change('<plain>', { parent: '<chiefs>' }), forbidden('parent')),
  roles(
    'moves not their own role',
    change('<deputies>', { parent: '<chiefs>' }),
    forbidden('parent'),
  ),
  roles('moves no role from more', change('<juniors>', { parent: null }), forbidden('parent')),
  roles(
    'moves no role with more below',
    change('<above>', { parent: '<clerks>' }),
    forbidden('parent'),
  ),
  roles(
    'moves no role whose users have more',
    change('<house>', { parent: '<clerks>' }),
    forbidden('parent'),
  ),
  roles('takes no child from more', change('<chiefs>', { children: [] }), refused),
  roles(
    'makes no child of more',
    change('<chiefs>', { children: ['<juniors>', '<plain>'] }),
    refused,
  ),
  roles('makes no role below more', add({ name: 'x', parent: '<juniors>' }), refused),
  roles('makes no role with more', add({ name: 'x', policies: ['<secret>'] }), refused),
  roles('makes no role of more', add({ name: 'x', children: ['<chiefs>'] }), refused),
  roles('makes no role for who has more', add({ name: 'x', users: ['<boss>'] }), refused),
  roles('takes no policy from more', change('<chiefs>', { policies: [] }), refused),
  roles(
    'takes no policy that demands a second factor',
    change('<guarded>', { policies: [] }),
    refused,
  ),
  roles('deletes no role with more', drop('<chiefs>'), refused),
  roles('deletes no role with more above', drop('<juniors>'), refused),
  roles('deletes no role with more below', drop('<above>'), refused),
  roles('deletes no role whose users have more', drop('<house>'), refused),
  roles('deletes no role that demands a second factor', drop('<guarded>'), refused),
  roles('renames a role with more', change('<chiefs>', { name: 'heads' }), {
    query: { fields: ['name'] },
    gives: { name: 'heads' },
  }),
  roles('moves a role below what they hold', change('<plain>', { parent: '<clerks>' }), {
    query: { fields: ['parent'] },
    gives: { parent: '<clerks>' },
  }),
  roles('deletes a role with what they hold', drop('<clerks>'), silent),
];

describe('20: by access and roles', () => {
  playIn({ open: openDelegation, scenarios: numbered(20, [...ACCESS, ...FOR_A_WHILE, ...ROLES]) });
});
