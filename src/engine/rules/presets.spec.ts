import { ANNA } from '../sample.spec-support';
import { mergePresets } from './decision';
import { decided, type Given, type Values } from './sample-rules.spec-support';

describe('presets', () => {
  const presets = (rules: readonly Given[], values?: Values): unknown =>
    Object.fromEntries(mergePresets(decided('create', rules, values).cases));

  it.each<[string, readonly Given[], Values, unknown]>([
    ['of one rule', [{ presets: { text: 'a' } }], {}, { text: 'a' }],
    [
      'of two rules',
      [{ presets: { text: 'a' } }, { presets: { integer: 1 } }],
      {},
      { text: 'a', integer: 1 },
    ],
    [
      'the lower rule wins',
      [{ presets: { text: 'a' } }, { presets: { text: 'b' } }],
      {},
      { text: 'a' },
    ],
    [
      'in any order',
      [
        { id: 9, presets: { text: 'a' } },
        { id: 8, presets: { text: 'b' } },
      ],
      {},
      { text: 'b' },
    ],
    [
      'by number, not as text',
      [
        { id: 10, presets: { text: 'a' } },
        { id: 9, presets: { text: 'b' } },
      ],
      {},
      { text: 'b' },
    ],
    [
      'null wins like others',
      [{ presets: { text: null } }, { presets: { text: 'b' } }],
      {},
      { text: null },
    ],
    [
      'a variable',
      [{ presets: { owner: '$CURRENT_USER' } }],
      { $CURRENT_USER: ANNA },
      { owner: ANNA },
    ],
    ['a variable without a value', [{ presets: { owner: '$CURRENT_USER' } }], {}, { owner: null }],
    [
      'a variable without a value wins too',
      [{ presets: { owner: '$CURRENT_USER' } }, { presets: { owner: ANNA } }],
      {},
      { owner: null },
    ],
    [
      'a list',
      [{ presets: { array: '$CURRENT_USER.tags' } }],
      { '$CURRENT_USER.tags': ['a'] },
      { array: ['a'] },
    ],
    [
      'an empty list',
      [{ presets: { array: '$CURRENT_USER.tags' } }],
      { '$CURRENT_USER.tags': [] },
      { array: null },
    ],
    [
      'a null in a list',
      [{ presets: { array: '$CURRENT_USER.tags' } }],
      { '$CURRENT_USER.tags': ['a', null] },
      { array: null },
    ],
    [
      'longer than the column',
      [{ presets: { text: '$CURRENT_USER.name' } }],
      { '$CURRENT_USER.name': 'abcdef' },
      { text: null },
    ],
    [
      'an integral number of another type',
      [{ presets: { small: '$CURRENT_USER.age', bigint: '$CURRENT_USER.age' } }],
      { '$CURRENT_USER.age': '500.00' },
      { small: 500, bigint: '500' },
    ],
    [
      'a number with an exponent',
      [{ presets: { decimal: '$CURRENT_USER.age', double: '$CURRENT_USER.age' } }],
      { '$CURRENT_USER.age': 1e-7 },
      { decimal: '0.0000001', double: 1e-7 },
    ],
    [
      'a number that the column cannot hold',
      [{ presets: { small: '$CURRENT_USER.age', decimal: '$CURRENT_USER.age' } }],
      { '$CURRENT_USER.age': 40000.5 },
      { small: null, decimal: null },
    ],
    [
      'no number',
      [{ presets: { double: '$CURRENT_USER.age', integer: '$CURRENT_USER.age' } }],
      { '$CURRENT_USER.age': NaN },
      { double: null, integer: null },
    ],
    [
      'the moment',
      [{ presets: { timestamp: '$NOW(-1 month)' } }],
      {},
      { timestamp: '2024-02-29T12:30:45.678Z' },
    ],
    ['the day', [{ presets: { date: '$NOW' } }], {}, { date: '2024-03-31' }],
    ['a time that does not exist', [{ presets: { date: '$NOW(9999 years)' } }], {}, { date: null }],
  ])('%s', (_, rules, values, expected) => {
    expect(presets(rules, values)).toEqual(expected);
  });
});
