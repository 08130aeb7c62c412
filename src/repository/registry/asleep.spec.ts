import util from 'node:util';
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

it('The parts of a large rule are not compared with one another', () => {
  const compare = jest.spyOn(util, 'isDeepStrictEqual');
  const of = Array.from({ length: 300 }, (_, at) => ({ text: { _eq: String(at) } }));
  const old: MarkedSource = { ...ruleSource({ permissions: { _or: of } }), marks };
  const changed = ruleSource({
    permissions: { _or: [...of.slice(0, -1), { integer: { _eq: 1 } }] },
  });
  const { names } = markRule(changed, old, schema, currentMarks);
  expect(names).toEqual({ ...marks.names, 'things.integer': 'new' });
  expect(compare.mock.calls.length).toBeLessThan(of.length);
});
