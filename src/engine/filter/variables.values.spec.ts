import { readVariable } from '../parsing.spec-support';
import { ANNA, bound, BERT, meets, NOW, source } from '../sample.spec-support';
import { resolveNow } from './variables';

const moved = (text: string, now: string): string | null => {
  const variable = readVariable(text);
  if (variable.kind !== 'now') throw new Error('not $NOW');
  return resolveNow(variable, new Date(now));
};

describe('$NOW moved', () => {
  it.each([
    ['$NOW', '2024-03-31T12:30:45.678Z', '2024-03-31T12:30:45.678Z'],
    ['$NOW(-1 second)', '2024-03-01T00:00:00.000Z', '2024-02-29T23:59:59.000Z'],
    ['$NOW(+90 minutes)', '2024-03-31T23:00:00.000Z', '2024-04-01T00:30:00.000Z'],
    ['$NOW(-24 hours)', '2024-03-31T02:30:00.000Z', '2024-03-30T02:30:00.000Z'],
    ['$NOW(-1 day)', '2024-03-01T12:00:00.000Z', '2024-02-29T12:00:00.000Z'],
    ['$NOW(1 week)', '2023-12-28T00:00:00.000Z', '2024-01-04T00:00:00.000Z'],
    ['$NOW(-1 month)', '2024-03-31T12:30:45.678Z', '2024-02-29T12:30:45.678Z'],
    ['$NOW(-1 month)', '2023-03-31T12:30:45.678Z', '2023-02-28T12:30:45.678Z'],
    ['$NOW(1 month)', '2024-01-31T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
    ['$NOW(1 month)', '2024-12-31T00:00:00.000Z', '2025-01-31T00:00:00.000Z'],
    ['$NOW(3 months)', '2024-03-31T00:00:00.000Z', '2024-06-30T00:00:00.000Z'],
    ['$NOW(-13 months)', '2024-03-31T00:00:00.000Z', '2023-02-28T00:00:00.000Z'],
    ['$NOW(-1 year)', '2024-02-29T00:00:00.000Z', '2023-02-28T00:00:00.000Z'],
    ['$NOW(4 years)', '2024-02-29T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
    ['$NOW(-1924 years)', '2024-02-29T00:00:00.000Z', '0100-02-28T00:00:00.000Z'],
    ['$NOW(-2020 years)', '2024-02-29T00:00:00.000Z', '0004-02-29T00:00:00.000Z'],
    ['$NOW(-2024 years)', '2024-01-01T00:00:00.000Z', null],
    ['$NOW(7976 years)', '2024-01-01T00:00:00.000Z', null],
    ['$NOW(99999 years)', '2024-01-01T00:00:00.000Z', null],
  ])('%s at %s is %s', (text, now, expected) => {
    expect(moved(text, now)).toBe(expected);
  });

  it('is the day in UTC for a date', () => {
    expect(bound({ date: { _eq: '$NOW' } })).toMatchObject({ operands: ['2024-03-31'] });
    expect(bound({ date: { _between: ['$NOW(-1 month)', '$NOW'] } })).toMatchObject({
      operands: ['2024-02-29', '2024-03-31'],
    });
  });

  it('is the same instant for the whole request', () => {
    const filter = { timestamp: { _gte: '$NOW', _lte: '$NOW' } };
    expect(meets(filter, { timestamp: NOW.toISOString() })).toBe(true);
  });
});

describe('a variable with a value', () => {
  const values = source({
    $CURRENT_USER: ANNA,
    $CURRENT_ROLES: [ANNA, BERT],
    '$CURRENT_USER.name': 'Anna',
    '$CURRENT_USER.age': 40,
    '$CURRENT_USER.tags': ['a', 'b'],
  });
  it.each<[unknown, object]>([
    [{ owner: { _eq: '$CURRENT_USER' } }, { operands: [ANNA], negated: false }],
    [{ text: { _ncontains: '$CURRENT_USER.name' } }, { operands: ['Anna'], negated: true }],
    [{ decimal: { _lt: '$CURRENT_USER.age' } }, { operands: ['40'] }],
    [{ bigint: { _lt: '$CURRENT_USER.age' } }, { operands: ['40'] }],
    [{ uuid: { _nin: '$CURRENT_ROLES' } }, { operands: [ANNA, BERT] }],
    [
      { text: { _in: ['x', '$CURRENT_USER.tags', '$CURRENT_USER.name'] } },
      { operands: ['x', 'a', 'b', 'Anna'] },
    ],
  ])('%j is bound to %j', (filter, expected) => {
    expect(bound(filter, { variables: values })).toMatchObject(expected);
  });

  it('may be a list of a million values', () => {
    const tags = Array.from({ length: 1_000_000 }, (_, at) => String(at));
    const filter = bound(
      { text: { _in: '$CURRENT_USER.tags' } },
      { variables: source({ '$CURRENT_USER.tags': tags }) },
    );
    expect(filter).toMatchObject({ kind: 'leaf', operands: { length: 1_000_000 } });
  });
});
