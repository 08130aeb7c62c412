import type { FieldShape } from '../../engine';
import type { Computed, FieldDeclaration } from '../../common/schema';
import { withComputed } from './read-computed';

const common = { nullable: true, concealed: false, hasDefault: false };
const text = (name: string, more: object = {}): [string, FieldShape] => [
  name,
  { kind: 'column', name, type: 'text', ...common, ...more },
];
const fields = new Map([text('first'), text('secret', { concealed: true }), text('part')]);
const columns = new Map(
  [...fields.keys()].map((name) => [
    name,
    { sql: `"${name}_"`, cast: 'text', type: 'text' as const, indexed: false, unique: false },
  ]),
);
const about = { collection: 'c', item: 'i', parts: ['part'] };

const read = (computed: Partial<Computed>) => {
  const declaration: FieldDeclaration = {
    kind: 'computed',
    type: 'text',
    from: ['first'],
    ...computed,
  };
  const described = new Map([['made', declaration]]);
  return withComputed('Order', described, { fields, columns, about }).computed?.get('made');
};

describe('A computed field', () => {
  it('is an expression of columns, cast to its type', () => {
    const made = read({ sql: (column) => `lower(${column('first')})` });
    expect(made?.sql?.('t7')).toBe('((lower(t7."first_"))::text)');
    const moment = read({ type: 'timestamp', sql: () => 'now()' });
    expect(moment?.sql?.('t0')).toBe('((now())::timestamptz)');
    expect(moment?.cast).toBe('timestamptz');
  });

  it.each<[Partial<Computed>, string]>([
    [
      { from: [] },
      'Order.made is computed from nothing: list the fields that it reads under from.',
    ],
    [
      { from: ['gone'] },
      'Order.made is computed from gone, which is not a column of the entity: list only stored fields.',
    ],
    [
      { from: ['secret'] },
      'Order.made is computed from secret, which is never shown: it would reveal its value.',
    ],
    [
      { from: ['part'] },
      'Order.made is computed from part, which is never shown: it would reveal its value.',
    ],
    [
      { sql: (column) => column('secret') },
      'Order.made reads secret, which is not listed under from: add it there.',
    ],
  ])('is refused: %j', (computed, message) => {
    expect(() => read(computed)).toThrow(message);
  });
});
