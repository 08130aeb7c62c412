import { parsing } from '../parsing.spec-support';
import { faultOf, inRule } from '../sample.spec-support';

const ANNA = '11111111-1111-4111-8111-111111111111';

describe('a plain value instead of operators', () => {
  it.each<[unknown, unknown]>([
    [{ text: 'x' }, { text: { _eq: 'x' } }],
    [{ text: '' }, { text: { _eq: '' } }],
    [{ integer: 7 }, { integer: { _eq: 7 } }],
    [{ integer: '7' }, { integer: { _eq: '7' } }],
    [{ boolean: false }, { boolean: { _eq: false } }],
    [{ timestamp: '$NOW' }, { timestamp: { _eq: '$NOW' } }],
    [{ owner: { name: 'x' } }, { owner: { name: { _eq: 'x' } } }],
    [{ 'year(timestamp)': 2024 }, { 'year(timestamp)': { _eq: 2024 } }],
    [
      { _or: [{ text: 'x' }, { integer: 7 }] },
      { _or: [{ text: { _eq: 'x' } }, { integer: { _eq: 7 } }] },
    ],
  ])('%j is compared with _eq', (short, written) => {
    expect(parsing(short)()).toEqual(parsing(written)());
  });

  it.each([[{ text: 'x' }], [{ owner: ANNA }], [{ 'year(timestamp)': 2024 }]])(
    '%j is refused in a rule',
    (filter) => {
      const { kind, path } = faultOf(parsing(filter, inRule));
      expect([kind, path]).toEqual(['malformed', ['filter', ...Object.keys(filter)]]);
    },
  );
});
