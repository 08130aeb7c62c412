import type { FieldShape, StoredField } from '../../engine';
import type { FieldDeclaration, WritingOption } from '../../common/schema';
import { readWriting } from './read-writing';

const common = { nullable: true, concealed: false, hasDefault: false };
const column = (type: StoredField['type']): StoredField => ({
  kind: 'column',
  name: 'field',
  type,
  ...common,
});
const toOne = (target: string): FieldShape & StoredField => ({
  kind: 'to-one',
  name: 'field',
  type: 'uuid',
  target,
  ...common,
});
const declaration = (writing: WritingOption[], limits?: object): FieldDeclaration => ({
  kind: 'to-one',
  target: 'service_users',
  filled: false,
  writing,
  ...(limits && { limits }),
});

const read = (field: StoredField, writing: WritingOption[], limits?: object, given?: unknown) =>
  readWriting(field, declaration(writing, limits), 'Order.field', given);

describe('Who writes a field', () => {
  it.each<[WritingOption[], object]>([
    [[], {}],
    [['readOnly'], { writable: 'never' }],
    [['writeOnce'], { writable: 'once' }],
    [['updatedAt'], { writable: 'never', filling: 'updatedAt' }],
    [['deletedAt'], { writable: 'never', filling: 'deletedAt' }],
  ])('%j', (writing, expected) => {
    expect(read(column('timestamp'), writing)).toEqual(expected);
  });

  it('is refused when two options name a writer', () => {
    expect(() => read(column('integer'), ['readOnly', 'version'])).toThrow(
      'Order.field is readOnly and version at once: each says who writes it, so keep one.',
    );
  });

  it('must be a reference to a user for createdBy', () => {
    expect(read(toOne('service_users'), ['createdBy'])).toMatchObject({ filling: 'createdBy' });
    expect(() => read(toOne('orders'), ['createdBy'])).toThrow(
      "Order.field is createdBy, but does not lead to a user: declare it as @Field.toOne('service_users', …).",
    );
  });
});

describe('The limits of a field', () => {
  it('are read in the form of its type', () => {
    expect(read(column('decimal'), [], { min: 0, max: '010.50' })).toEqual({
      limits: { min: '0', max: '10.50' },
    });
    expect(read(column('timestamp'), [], { min: '2024-01-01T00:00:00+01:00' })).toEqual({
      limits: { min: '2023-12-31T23:00:00.000Z' },
    });
  });

  it.each<[StoredField['type'], object, string]>([
    [
      'integer',
      { min: 'x' },
      'has a bound that is not a value of the field: it must be an integer',
    ],
    ['integer', { min: 2, max: 1 }, 'could hold no value: its min is greater than its max.'],
    ['text', { pattern: '(a)\\1' }, 'has a pattern that cannot be matched in linear time'],
    ['text', { pattern: '(' }, 'has a pattern that cannot be matched in linear time'],
  ])('are refused for the type %s: %j', (type, limits, message) => {
    expect(() => read(column(type), [], limits)).toThrow(`Order.field ${message}`);
  });

  it.each<[StoredField['type'], object, unknown, string]>([
    ['integer', { min: 5 }, 1, 'has the default 1, which its own min does not allow'],
    ['decimal', { max: '9.5' }, '10', 'has the default "10", which its own max does not allow'],
    ['text', { pattern: '^A' }, 'B', 'has the default "B", which its own pattern does not allow'],
    ['text', { email: true }, 'me', 'has the default "me", which its own email does not allow'],
  ])('must allow the default of the type %s: %j, %j', (type, limits, given, message) => {
    expect(() => read(column(type), [], limits, given)).toThrow(`Order.field ${message}`);
  });

  it.each<[string, StoredField, unknown, string]>([
    [
      'a text',
      { ...column('text'), maxLength: 3 },
      'open',
      'has the default "open", which its column cannot hold: it must have at most 3 characters.',
    ],
    [
      'an integer',
      column('integer'),
      3_000_000_000,
      'has the default 3000000000, which its column cannot hold: it must lie between',
    ],
  ])('refuse the default of %s that the column cannot hold', (_, field, given, message) => {
    expect(() => read(field, [], undefined, given)).toThrow(`Order.field ${message}`);
  });

  it.each([5, '5', undefined, null, () => '1'])('allow the default %p', (given) => {
    expect(read(column('integer'), [], { min: 5 }, given)).toEqual({ limits: { min: 5 } });
  });

  it('are refused for a field that the service fills', () => {
    expect(() => read(column('integer'), ['version'], { max: 5 })).toThrow(
      'and so takes no bounds: remove them',
    );
  });
});
