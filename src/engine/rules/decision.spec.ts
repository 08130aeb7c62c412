import { type SampleRow, rowOf, things } from '../sample.spec-support';
import { evaluateFilter } from '../filter/evaluate-filter';
import {
  accessOf,
  allowsAny,
  type Decision,
  grantOf,
  isNamed,
  mergePresets,
  missingFields,
  namedFields,
  rowFilter,
  unrestricted,
} from './decision';
import {
  all,
  decided,
  drafts,
  type Given,
  lives,
  own,
  POLICIES,
} from './sample-rules.spec-support';

const reads = (decision: Decision, row: SampleRow): boolean =>
  evaluateFilter(rowFilter(decision), rowOf(things, row));
const grants = (decision: Decision, field: string, row: SampleRow): boolean => {
  const grant = grantOf(decision, field);
  return grant === 'always' || (grant !== 'never' && evaluateFilter(grant, rowOf(things, row)));
};

describe('rows and fields of a read', () => {
  it('stay together: two rules never grant the fields of one on the rows of the other', () => {
    const decision = decided('read', [drafts, lives]);
    const seen = ['draft', 'live'].map((state) =>
      ['text', 'integer', 'id', 'decimal'].filter((field) =>
        grants(decision, field, { enum: state }),
      ),
    );
    expect(seen).toEqual([
      ['text', 'id'],
      ['integer', 'id'],
    ]);
  });

  it.each<[string, readonly Given[], SampleRow, boolean]>([
    ['no rule', [], {}, false],
    ['a rule for all rows', [all], {}, true],
    ['a rule that the row meets', [drafts], { enum: 'draft' }, true],
    ['a rule that it does not meet', [drafts], { enum: 'live' }, false],
    ['one of two', [drafts, lives], { enum: 'live' }, true],
    ['neither of two', [drafts, lives], { enum: null }, false],
    ['a rule for all and one that it does not meet', [drafts, all], { enum: 'live' }, true],
    ['a rule without fields', [{ permissions: {}, fields: [] }], {}, false],
    ['a rule whose fields are null', [{ permissions: {}, fields: null }], {}, false],
    [
      'a rule without fields and one that it meets',
      [{ fields: [] }, drafts],
      { enum: 'draft' },
      true,
    ],
    [
      'a rule without fields and one that it does not meet',
      [{ fields: [] }, drafts],
      { enum: 'live' },
      false,
    ],
    ['a variable without a value', [own], { owner: null }, false],
  ])('%s', (_, rules, row, expected) => {
    expect(reads(decided('read', rules), row)).toBe(expected);
  });

  it.each<[string, readonly Given[], string, 'always' | 'never' | 'filter']>([
    ['no rule lists it', [drafts], 'integer', 'never'],
    ['there is no rule', [], 'integer', 'never'],
    ['the only rule lists it', [drafts], 'text', 'always'],
    ['every rule lists it', [drafts, { ...lives, fields: ['text'] }], 'text', 'always'],
    ['an unconditional rule lists it', [drafts, all], 'integer', 'always'],
    [
      'an unconditional rule of an empty _and',
      [drafts, { ...all, permissions: { _and: [{}] } }],
      'integer',
      'always',
    ],
    ['an unconditional rule lists all', [drafts, { fields: ['*'] }], 'decimal', 'always'],
    ['one rule of two lists it', [drafts, lives], 'text', 'filter'],
    ['a conditional and an unconditional rule list it', [drafts, all], 'text', 'filter'],
    ['a conditional rule lists all', [drafts, { ...lives, fields: ['*'] }], 'decimal', 'filter'],
    ['a rule that grants nothing does not count', [{ fields: [] }, drafts], 'text', 'always'],
    ['it is the key', [drafts, lives], 'id', 'always'],
  ])('a grant where %s', (_, rules, field, expected) => {
    const grant = grantOf(decided('read', rules), field);
    expect(typeof grant === 'string' ? grant : 'filter').toBe(expected);
  });

  it('are named by any rule, whatever the stored rows and the values of variables', () => {
    const decision = decided('read', [own, lives]);
    expect(
      ['text', 'integer', 'id', 'decimal', 'bogus'].filter((field) => isNamed(decision, field)),
    ).toEqual(['text', 'integer', 'id']);
    expect(namedFields(decision)).toEqual(new Set(['text', 'integer', 'id']));
    expect(namedFields(decided('read', [own, { fields: ['*'] }]))).toBe('*');
    expect(namedFields(decided('read', []))).toEqual(new Set());
  });
});

describe('the other actions', () => {
  it('do not add the key, and keep a rule that has no fields', () => {
    const decision = decided('update', [{ fields: ['text'] }, { fields: [] }]);
    expect(decision.cases.map(({ fields }) => fields)).toEqual([new Set(['text']), new Set()]);
  });

  it.each<[readonly string[], readonly number[], readonly string[]]>([
    [['text'], [0], []],
    [['text', 'integer'], [0], ['integer']],
    [['text', 'integer'], [0, 1], []],
    [['text', 'integer', 'id'], [0, 1], ['id']],
    [['text'], [], ['text']],
    [[], [], []],
    [['bogus'], [2], []],
  ])('of the fields %j the cases %j lack %j', (fields, at, expected) => {
    const { cases } = decided('update', [drafts, lives, { fields: ['*'] }]);
    expect(
      missingFields(
        fields,
        cases.filter((_, index) => at.includes(index)),
      ),
    ).toEqual(expected);
  });
});

describe('access', () => {
  it.each<[string, readonly Given[], string]>([
    ['no rule', [], 'none'],
    ['a read rule without fields', [{ fields: [] }], 'none'],
    ['rules with conditions', [drafts, lives], 'partial'],
    ['a rule whose variable has no value', [own], 'partial'],
    ['a rule without a condition', [all], 'full'],
    ['one of each', [drafts, all], 'full'],
    ['a condition that is always true', [{ permissions: { _and: [{}, {}] } }], 'full'],
    ['a condition that is never true', [{ permissions: { _or: [] } }], 'partial'],
  ])('of %s is %s', (_, rules, expected) => {
    const decision = decided('read', rules);
    expect(accessOf(decision)).toBe(expected);
    expect(allowsAny(decision)).toBe(expected !== 'none');
  });
});

describe('an administrator', () => {
  const decision = unrestricted(things, 'read', POLICIES);
  it('has one case that grants everything', () => {
    expect(decision.cases).toHaveLength(1);
    expect([accessOf(decision), grantOf(decision, 'text'), namedFields(decision)]).toEqual([
      'full',
      'always',
      '*',
    ]);
    expect(reads(decision, {})).toBe(true);
    expect(mergePresets(decision.cases)).toEqual(new Map());
    expect(
      evaluateFilter(decision.cases[0]?.validation ?? rowFilter(decision), rowOf(things, {})),
    ).toBe(true);
  });
});
