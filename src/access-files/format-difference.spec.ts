import type { RuleFields } from './access-state';
import { FileFault } from './file-fault';
import { formatChanges } from './format-difference';

const rule = (collection: string): RuleFields => ({
  collection,
  action: 'read',
  fields: ['title\u2066'],
  permissions: {},
  validation: {},
  presets: {},
  explain: false,
});

it('a shown difference has no character that a terminal would interpret, in titles and in values', () => {
  const from = rule('notes\u202E');
  const key = `read ${from.collection}`;
  const change = { kind: 'rule', action: 'delete', policy: 'p', key, from, fields: [] } as const;
  expect(formatChanges([change], { colours: false })).toEqual([
    '- rule of policy p: read notes\\u202e',
    '    fields: ["title\\u2066"]',
  ]);
});

it.each([
  [20, undefined],
  [21, '… and 1 more'],
  [30, '… and 10 more'],
])('of %i faults of a file twenty are shown, and the number of the others', (count, more) => {
  const faults = Array.from({ length: count }, (_, at) => ({
    place: `${at + 1}:1`,
    reason: 'is x',
  }));
  const lines = new FileFault(faults).messageFor('rules.yaml').split('\n');
  expect(lines.slice(0, 20).at(-1)).toBe('rules.yaml:20:1 is x');
  expect(lines[20]).toBe(more);
});
