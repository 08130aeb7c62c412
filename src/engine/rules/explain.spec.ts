import { ANNA, type SampleRow, rowOf, things } from '../sample.spec-support';
import { explainRow } from './explain';
import {
  all,
  decided,
  drafts,
  type Given,
  lives,
  POLICIES,
  type Values,
} from './sample-rules.spec-support';

describe('the explanation of a row', () => {
  const explain = (
    rules: readonly Given[],
    row: SampleRow,
    fields: readonly string[],
    values?: Values,
  ) => explainRow(decided('read', rules, values), rowOf(things, row), fields);

  it.each<[string, readonly Given[], SampleRow, readonly string[], object]>([
    [
      'no rule',
      [],
      {},
      ['text'],
      { allowed: false, cases: [], missing: ['text'], unnamed: ['text'] },
    ],
    ['no rule, no fields requested', [], {}, [], { allowed: false, missing: [] }],
    [
      'a rule that the row meets',
      [drafts],
      { enum: 'draft' },
      ['text'],
      { allowed: true, missing: [], unnamed: [] },
    ],
    [
      'a rule that the row does not meet',
      [drafts],
      { enum: 'live' },
      ['text'],
      { allowed: false, missing: ['text'], unnamed: [] },
    ],
    [
      'a field of another rule',
      [drafts, lives],
      { enum: 'live' },
      ['text', 'integer'],
      { allowed: false, missing: ['text'], unnamed: [] },
    ],
    [
      'a field of no rule',
      [drafts, all],
      { enum: 'draft' },
      ['text', 'date'],
      { allowed: false, missing: ['date'], unnamed: ['date'] },
    ],
    [
      'fields of two rules',
      [drafts, all],
      { enum: 'draft' },
      ['text', 'integer'],
      { allowed: true, missing: [] },
    ],
  ])('%s', (_, rules, row, fields, expected) => {
    expect(explain(rules, row, fields)).toMatchObject(expected);
  });

  it('names the rule, the clause that failed, the missing fields and the policies', () => {
    const both = { permissions: { enum: { _eq: 'draft' }, integer: { _gt: 5 } }, fields: ['text'] };
    const explanation = explain([both, all], { enum: 'draft', integer: 1 }, ['text', 'integer']);
    expect(explanation.policies).toBe(POLICIES);
    expect(explanation.cases).toMatchObject([
      {
        rule: 1,
        policy: 'p',
        meets: false,
        lacks: ['integer'],
        failed: [{ test: 'gt', operands: [5] }],
      },
      { rule: 2, policy: 'p', meets: true, lacks: ['text'], failed: [] },
    ]);
    expect(explanation.cases[0]?.failed).toHaveLength(1);
  });

  it('names every alternative of an _or that failed, and the relation', () => {
    const either = {
      permissions: { _or: [{ owner: { name: { _eq: 'x' } } }, { integer: { _eq: 2 } }] },
    };
    expect(explain([either], { integer: 1 }, []).cases[0]?.failed.map(({ kind }) => kind)).toEqual([
      'to-one',
      'leaf',
    ]);
  });

  it('names the variable that had no value', () => {
    const lost = {
      permissions: { owner: { _eq: '$CURRENT_USER' }, text: { _in: '$CURRENT_USER.tags' } },
    };
    const [report] = explain([lost], { owner: ANNA }, [], { $CURRENT_USER: ANNA }).cases;
    expect(report).toMatchObject({ meets: false, valueless: ['$CURRENT_USER.tags'] });
  });
});
