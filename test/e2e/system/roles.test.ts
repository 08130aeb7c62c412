import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const collection = 'service_roles';

const changed = (it: string, id: string, data: unknown, expected: object): Scenario =>
  ({ it, caller: 'admin', collection, operation: 'update', id, data, ...expected }) as Scenario;
const circle = { refused: [{ code: 'INVALID_PAYLOAD', field: 'parent' }] };

describe('roles', () => {
  play({
    seed: SEED,
    scenarios: [
      {
        it: 'shows a role with its relations',
        caller: 'admin',
        collection,
        operation: 'one',
        id: '<staff>',
        query: {
          fields: ['*', 'children', 'users', 'policies'],
          deep: { users: { _sort: 'email' } },
        },
        gives: {
          id: '<staff>',
          name: 'staff',
          icon: null,
          description: null,
          managed: null,
          parent: '<company>',
          children: ['<night>'],
          users: ['<ann>', '<cid>'],
          policies: ['<team>'],
        },
      },
      {
        it: 'creates a role',
        caller: 'admin',
        collection,
        operation: 'create',
        data: {
          name: 'day',
          parent: '<staff>',
          policies: ['<own>'],
          users: ['<bob>'],
          children: ['<spare>'],
        },
        query: { fields: ['name', 'parent.name', 'policies', 'users', 'children.name'] },
        gives: {
          name: 'day',
          parent: { name: 'staff' },
          policies: ['<own>'],
          users: ['<bob>'],
          children: [{ name: 'spare' }],
        },
        stored: { service_users: { '<bob>': { role: expect.any(String) as string } } },
      },
      {
        it: 'refuses one without a name',
        caller: 'admin',
        collection,
        operation: 'create',
        data: { icon: 'x' },
        refused: [{ code: 'FAILED_VALIDATION', field: 'name', type: 'required' }],
      },
      {
        it: 'refuses one that is its own parent',
        caller: 'admin',
        collection,
        operation: 'create',
        data: {
          id: '11111111-1111-4111-8111-111111111111',
          name: 'x',
          parent: '11111111-1111-4111-8111-111111111111',
        },
        refused: 'INVALID_FOREIGN_KEY',
      },
      changed('moves a role', '<night>', { parent: '<spare>' }, { shows: { parent: '<spare>' } }),
      changed(
        'removes the parent of a role',
        '<night>',
        { parent: null },
        { shows: { parent: null } },
      ),
      changed('refuses a role as its own parent', '<staff>', { parent: '<staff>' }, circle),
      changed('refuses a child as parent', '<company>', { parent: '<staff>' }, circle),
      changed('refuses a child of a child as parent', '<company>', { parent: '<night>' }, circle),
      changed('refuses an ancestor as child', '<night>', { children: ['<company>'] }, circle),
      changed(
        'refuses a role as its own child',
        '<night>',
        { children: ['<night>'] },
        {
          refused: 'INVALID_PAYLOAD',
        },
      ),
      changed(
        'refuses a parent that does not exist',
        '<night>',
        { parent: '<ann>' },
        {
          refused: [{ code: 'INVALID_FOREIGN_KEY', field: 'parent' }],
        },
      ),
      {
        it: 'refuses a circle that two updates create together',
        caller: 'admin',
        collection,
        operation: 'updateEach',
        data: [
          { id: '<spare>', parent: '<night>' },
          { id: '<company>', parent: '<spare>' },
        ],
        ...circle,
      },
      {
        it: 'refuses a circle in an update of many',
        caller: 'admin',
        collection,
        operation: 'updateMany',
        ids: ['<company>', '<spare>'],
        data: { parent: '<night>' },
        ...circle,
      },
      changed(
        'replaces policies, users and children',
        '<company>',
        { policies: [], users: ['<ann>'], children: [] },
        {
          query: { fields: ['policies', 'users', 'children'] },
          gives: { policies: [], users: ['<ann>'], children: [] },
          stored: {
            service_users: { '<ann>': { role: '<company>' } },
            [collection]: { '<staff>': { parent: null }, '<night>': { parent: '<staff>' } },
          },
        },
      ),
      {
        it: 'deletes a role: its users have no role, its children no parent',
        caller: 'admin',
        collection,
        operation: 'delete',
        id: '<staff>',
        silent: true,
        stored: {
          [collection]: { '<staff>': null, '<night>': { parent: null } },
          service_users: { '<ann>': { role: null }, '<bob>': { role: '<night>' } },
          service_policies: { '<team>': {} },
        },
      },
      {
        it: 'shows users the roles that they have',
        caller: 'bob',
        collection,
        operation: 'list',
        query: { sort: ['name'] },
        gives: ['company', 'night', 'staff'].map((name) => ({ id: `<${name}>`, name })),
        hides: ['spare'],
      },
      {
        it: 'refuses users to change them',
        caller: 'bob',
        collection,
        operation: 'update',
        id: '<night>',
        data: { name: 'x' },
        refused: 'FORBIDDEN',
      },
      {
        it: 'refuses callers who are not signed in',
        caller: null,
        collection,
        operation: 'list',
        refused: 'FORBIDDEN',
      },
    ],
  });
});
