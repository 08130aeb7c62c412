import { schema } from '../../engine/sample.spec-support';
import type { ManagedRules } from './provide-rules';
import { readManagedRules } from './read-managed-rules';

const GOOD: ManagedRules = {
  key: 'things',
  version: 1,
  roles: { lead: { name: 'Leads', policies: ['look'] } },
  policies: {
    look: {
      name: 'Look',
      permissions: [{ collection: 'things', action: 'read', fields: ['text'] }],
    },
  },
};

const ruled = (rule: object): object => ({
  policies: {
    look: { name: 'Look', permissions: [{ collection: 'things', action: 'read', ...rule }] },
  },
});

const faultOf = (...given: object[]): string => {
  try {
    readManagedRules(given as ManagedRules[], schema);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

it('rules that fit the collections are read, and mean the same in any order', () => {
  const turned = Object.fromEntries(Object.entries(GOOD).toReversed()) as unknown as ManagedRules;
  const [one] = readManagedRules([GOOD], schema);
  const [other] = readManagedRules([turned], schema);
  expect(one?.content).toContain('fields: [text]');
  expect(other?.content).toBe(one?.content);
});

it.each<[string, object, string]>([
  ['a key with capitals', { key: 'Things' }, '"Things": key has small letters'],
  ['no version', { version: 0 }, 'version must be a whole number from 1'],
  ['half a version', { version: 1.5 }, 'version must be a whole number from 1'],
  ['an unknown member', { rights: [] }, 'rights "rights" is not known here'],
  ['a missing policy', { everyone: ['all'] }, 'everyone there is no policy "all" here'],
  ['an unknown action', ruled({ action: 'look' }), 'policies.look.permissions.0.action needs'],
  ['an unknown collection', ruled({ collection: 'x' }), 'names the collection "x", which does not'],
  ['an unknown field', ruled({ fields: ['x'] }), 'names the field "x", which "things"'],
  [
    'an unknown operator',
    ruled({ permissions: { text: { _is: 1 } } }),
    'policies.look.permissions.0.permissions.text._is',
  ],
  ['a function', { policies: { look: { name: () => 'x' } } }, 'policies.look.name needs a name'],
  ['an invalid number', { version: 1n }, 'contains something other than plain data'],
])('%s prevents the start with one sentence', (_, more, fault) => {
  const message = faultOf({ ...GOOD, roles: {}, ...more });
  expect(message).toContain('provideRules of ');
  expect(message).toContain(fault);
});

it.each<[string, object, string]>([
  ['key', {}, 'the key "things"'],
  ['role', { key: 'others' }, 'the role "lead"'],
  ['policy', { key: 'others', roles: {} }, 'the policy "look"'],
])('two modules cannot have the same %s', (_, more, name) => {
  expect(faultOf(GOOD, { ...GOOD, ...more })).toContain(`both have ${name}`);
});
