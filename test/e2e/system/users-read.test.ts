import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const collection = 'service_users';

const read = (it: string, caller: string | null, query: object, expected: object): Scenario => ({
  it,
  caller,
  collection,
  operation: 'list',
  query,
  ...expected,
});
const ids = (...names: string[]): object => ({ gives: names.map((id) => ({ id: `<${id}>` })) });
const by = (filter: object, more: object = {}): object => ({
  fields: ['id'],
  filter,
  sort: ['email'],
  ...more,
});

const reading: Scenario[] = [
  read(
    'shows complete users, with a masked password',
    'admin',
    { filter: { id: { _eq: '<ann>' } } },
    {
      shows: [
        {
          id: '<ann>',
          email: 'ann@example.com',
          password: '**********',
          first_name: 'Ann',
          tags: ['a', 'b'],
          status: 'active',
          role: '<staff>',
          provider: 'default',
          tfa_secret: null,
          date_created: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
        },
      ],
      hides: ['$2', 'open-sesame'],
    },
  ),
  read(
    'shows policies as the ids of policies',
    'admin',
    { fields: ['policies'], filter: { id: { _eq: '<cid>' } } },
    {
      gives: [{ policies: ['<settler>'] }],
    },
  ),
  read(
    'reads fields of the role and of policies',
    'admin',
    {
      fields: ['role.name', 'role.parent.name', 'policies.name'],
      filter: { id: { _eq: '<cid>' } },
    },
    {
      gives: [
        { role: { name: 'staff', parent: { name: 'company' } }, policies: [{ name: 'settler' }] },
      ],
    },
  ),
  read(
    'filters through the role',
    'admin',
    by({ role: { name: { _eq: 'staff' } } }),
    ids('ann', 'cid'),
  ),
  read(
    'filters through the policies',
    'admin',
    by({ policies: { name: { _eq: 'settler' } } }),
    ids('cid'),
  ),
  read(
    'filters by users without policies',
    'admin',
    by({ policies: { _none: {} }, status: { _eq: 'active' } }),
    ids('admin', 'ann', 'bob'),
  ),
  read(
    'filters without regard to case',
    'admin',
    by({ last_name: { _icontains: 'ALD' } }),
    ids('ann'),
  ),
  read(
    'filters by fields that are not empty',
    'admin',
    by({ tags: { _nempty: true } }),
    ids('ann'),
  ),
  read(
    'sorts through the role',
    'admin',
    {
      fields: ['id'],
      sort: ['-role.name', 'email'],
      filter: { status: { _eq: 'active' }, role: { name: { _in: ['staff', 'night'] } } },
    },
    ids('ann', 'cid', 'bob'),
  ),
  read('searches text', 'admin', { fields: ['id'], search: 'birch' }, ids('bob')),
  read('searches ids', 'admin', { fields: ['id'], search: '<bob>' }, ids('bob')),
  read('does not search passwords', 'admin', { fields: ['id'], search: '$2b' }, { gives: [] }),
  read(
    'shows users themselves and their team',
    'ann',
    { sort: ['email'], meta: ['*'] },
    {
      gives: [
        {
          id: '<ann>',
          email: 'ann@example.com',
          first_name: 'Ann',
          last_name: 'Alder',
          role: '<staff>',
        },
        {
          id: '<cid>',
          email: 'cid@example.com',
          first_name: null,
          last_name: 'Cedar',
          role: '<staff>',
        },
      ],
      meta: { total_count: 2, filter_count: 2 },
      hides: ['bob', 'Birch'],
    },
  ),
  read(
    'shows the visible fields of the role',
    'ann',
    {
      fields: ['role.name', 'role.users'],
      filter: { id: { _eq: '<ann>' } },
      deep: { role: { users: { _sort: 'email' } } },
    },
    {
      gives: [{ role: { name: 'staff', users: ['<ann>', '<cid>'] } }],
    },
  ),
  read('refuses callers who are not signed in', null, {}, { refused: 'FORBIDDEN' }),
];

describe('reading users', () => {
  play({ seed: SEED, scenarios: reading });
});
