import type { SeedData } from '../../factories';
import { play, type Scenario } from '../../support/scenarios';

/** `policies` in all forms of writing, and relations in all parameters of a query. */
const SEED: SeedData = {
  policies: { one: [], two: [], three: [] },
  roles: { staff: { policies: ['one'] }, night: { parent: 'staff', policies: ['two'] } },
  users: {
    ann: { role: 'staff', last_name: 'Alder', policies: ['one', 'two'] },
    bob: { role: 'night', last_name: 'Birch' },
  },
};

const users = 'service_users';
const roles = 'service_roles';

/** Matches policies with these names and no others, in any order. */
const inAnyOrder = (names: readonly string[]): unknown => ({
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: (given: readonly { readonly name: string }[]) =>
    given
      .map(({ name }) => name)
      .toSorted()
      .join() === names.toSorted().join(),
  toString: () => `policies ${names.join(', ')}`,
});

const changed = (
  it: string,
  collection: string,
  id: string,
  policies: unknown,
  gives: readonly string[],
): Scenario =>
  ({
    ...{ it, collection, id, caller: 'admin', operation: 'update', data: { policies } },
    query: { fields: ['policies.name'] },
    gives: { policies: inAnyOrder(gives) },
    stored: {},
  }) as Scenario;

const NEW_ID = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee';
const expires_at = '2099-01-01T00:00:00.000Z';

const WRITTEN = [users, roles].flatMap((collection) => {
  const id = collection === users ? '<ann>' : '<staff>';
  // Ann has a second policy.
  const others = collection === users ? ['two'] : [];
  return [
    changed(`${collection}: ids replace`, collection, id, ['<three>'], ['three']),
    changed(`${collection}: rows replace`, collection, id, [{ policy: '<three>' }], ['three']),
    changed(`${collection}: objects replace`, collection, id, [{ id: '<three>' }], ['three']),
    changed(
      `${collection}: some are created, some removed`,
      collection,
      id,
      { create: [{ policy: '<three>' }], delete: ['<one>'] },
      ['three', ...others],
    ),
    changed(`${collection}: one is added by id`, collection, id, { create: ['<three>'] }, [
      'one',
      'three',
      ...others,
    ]),
    changed(
      `${collection}: one is changed`,
      collection,
      id,
      { update: [{ id: '<one>', name: 'new' }] },
      ['new', ...others],
    ),
    changed(
      `${collection}: one is added by its key within an access row under update`,
      collection,
      id,
      { update: [{ policy: { id: '<three>' }, expires_at }] },
      ['one', 'three', ...others],
    ),
    changed(`${collection}: one is new`, collection, id, { create: [{ name: 'made' }] }, [
      'one',
      'made',
      ...others,
    ]),
  ];
});

const refused = (it: string, policies: unknown, code: string): Scenario =>
  ({
    ...{ it, collection: users, id: '<ann>', caller: 'admin', operation: 'update' },
    ...{ data: { policies }, refused: code },
  }) as Scenario;

/** Entries of `update` that name no existing policy, and the expected fault. */
const UNNAMED = [
  [{ name: 'made' }, 'INVALID_PAYLOAD', 'policies.update.id'],
  [{ policy: { name: 'made' } }, 'INVALID_PAYLOAD', 'policies.update.policy.id'],
  [{ policy: null }, 'INVALID_PAYLOAD', 'policies.update.policy'],
  [{ policy: { id: '<one>', name: 'x' }, expires_at }, 'INVALID_PAYLOAD', 'policies.update.policy'],
  [{ id: NEW_ID, name: 'made' }, 'INVALID_FOREIGN_KEY', 'policies'],
  [{ policy: { id: NEW_ID, name: 'made' } }, 'INVALID_FOREIGN_KEY', 'policies'],
] as const;

const unnamed = [users, roles].flatMap((collection) =>
  UNNAMED.map(
    ([entry, code, field]) =>
      ({
        ...{ it: `${collection}: update makes nothing of ${JSON.stringify(entry)}`, collection },
        ...{ id: collection === users ? '<ann>' : '<staff>', caller: 'admin', operation: 'update' },
        ...{ data: { policies: { update: [entry] } }, refused: [{ code, field }] },
      }) as Scenario,
  ),
);

const list = (it: string, collection: string, query: object, gives: unknown): Scenario =>
  ({ it, caller: 'admin', collection, operation: 'list', query, gives }) as Scenario;

const ids = (...names: string[]): object[] => names.map((name) => ({ id: `<${name}>` }));

describe('policies of users and roles', () => {
  play({
    seed: SEED,
    scenarios: [
      ...WRITTEN,
      ...unnamed,
      refused('one that is not attached cannot be removed', { delete: ['<three>'] }, 'FORBIDDEN'),
      refused('an access row is not a policy', [{ role: '<staff>' }], 'INVALID_PAYLOAD'),
      refused('an unknown change is refused', { attach: ['<three>'] }, 'INVALID_PAYLOAD'),
      list(
        'filters by the role’s name',
        users,
        { fields: ['id'], filter: { role: { name: { _eq: 'night' } } } },
        ids('bob'),
      ),
      list(
        'filters by the parent of the role',
        users,
        { fields: ['id'], filter: { role: { parent: { name: { _eq: 'staff' } } } } },
        ids('bob'),
      ),
      list(
        'filters by policies',
        users,
        { fields: ['id'], filter: { policies: { _some: { name: { _eq: 'two' } } } } },
        ids('ann'),
      ),
      list(
        'filters roles by their users',
        roles,
        { fields: ['id'], filter: { users: { last_name: { _eq: 'Birch' } } } },
        ids('night'),
      ),
      list(
        'filters policies by their roles and users',
        'service_policies',
        {
          fields: ['name'],
          filter: {
            roles: { name: { _eq: 'night' } },
            users: { _none: { last_name: { _eq: 'Birch' } } },
          },
        },
        [{ name: 'two' }],
      ),
      list(
        'sorts by the role’s name',
        users,
        { fields: ['last_name'], filter: { last_name: { _nnull: true } }, sort: ['role.name'] },
        [{ last_name: 'Birch' }, { last_name: 'Alder' }],
      ),
      list(
        'reads relations several levels deep',
        users,
        {
          fields: ['role.parent.policies.name', 'role.policies.permissions.action'],
          filter: { last_name: { _eq: 'Birch' } },
        },
        [{ role: { parent: { policies: [{ name: 'one' }] }, policies: [{ permissions: [] }] } }],
      ),
      list(
        'sorts, filters and limits lists of relations',
        roles,
        {
          fields: ['users.last_name', 'policies.name'],
          filter: { name: { _eq: 'staff' } },
          deep: {
            users: { _limit: 1, _sort: '-last_name' },
            policies: { _filter: { name: { _eq: 'two' } } },
          },
        },
        [{ users: [{ last_name: 'Alder' }], policies: [] }],
      ),
    ],
  });
});
