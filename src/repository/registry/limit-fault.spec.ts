import type { Limits, StoredField, Value } from '../../engine';
import { limitFault } from './limit-fault';

const field = (type: StoredField['type'], limits: Limits): StoredField => ({
  kind: 'column',
  name: 'field',
  type,
  nullable: true,
  concealed: false,
  hasDefault: false,
  limits,
});

describe('limitFault', () => {
  it.each<[StoredField['type'], Limits, Value, object | undefined]>([
    ['integer', { min: 0, max: 3 }, 0, undefined],
    ['integer', { min: 0, max: 3 }, 3, undefined],
    ['integer', { min: 0, max: 3 }, -1, { type: 'gte', valid: 0 }],
    ['integer', { min: 0, max: 3 }, 4, { type: 'lte', valid: 3 }],
    ['decimal', { max: '9.5' }, '10', { type: 'lte', valid: '9.5' }],
    ['decimal', { max: '9.5' }, '9.50', undefined],
    ['bigint', { min: '9007199254740993' }, '9007199254740992', expect.any(Object) as object],
    ['date', { min: '2024-01-01' }, '2023-12-31', { type: 'gte', valid: '2024-01-01' }],
    ['text', { pattern: '^[A-Z]{2}$' }, 'AB', undefined],
    ['text', { pattern: '^[A-Z]{2}$' }, 'ABC', { type: 'regex', valid: '^[A-Z]{2}$' }],
    ['text', { email: true }, 'ann@example.com', undefined],
    ['text', { email: true }, 'Ann <ann@example.com>', { type: 'email' }],
  ])('%s %j of %j', (type, limits, value, expected) => {
    expect(limitFault(field(type, limits), value)).toEqual(expected);
  });
});
