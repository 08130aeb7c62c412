import { ruleSource, schema } from '../../engine/sample.spec-support';
import { type MarkedSource, markRule, type CurrentMarks } from './asleep';

const currentMarks: CurrentMarks = {
  of: (collection, field) => (field === undefined ? collection : 'new'),
  reload: () => Promise.resolve(),
};
const marks = { names: { things: 'things', 'things.text': 'old' }, fields: {} };

describe('a name that means another column than before', () => {
  it.each(['permissions', 'validation', 'presets'])(
    'has its new meaning once %s are rewritten, and not before',
    (part) => {
      const written = (value: string): object =>
        part === 'presets' ? { text: value } : { text: { _eq: value } };
      const action = 'update';
      const old: MarkedSource = { ...ruleSource({ action, [part]: written('a') }), marks };
      const marked = (value: string): unknown =>
        markRule(ruleSource({ action, [part]: written(value) }), old, schema, currentMarks).names;
      expect(marked('a')).toEqual(marks.names);
      expect(marked('b')).toEqual({ ...marks.names, 'things.text': 'new' });
    },
  );
});
