import fc from 'fast-check';
import { type FieldShape, functionsOf, type ScalarType } from '../../../src/engine';
import { COLLECTIONS, shapesOf } from '../tables';
import type { RawFilter } from '../world';
import { SEARCHES } from '../pools';
import { filterOf, often } from './filters';
import { deletedOf } from './queries';

export interface Computed {
  readonly fn: 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max';
  /** A field, a function of one, or `*`. */
  readonly of: string;
}

/** A query for groups of rows. */
export interface Grouping {
  readonly collection: string;
  readonly filter: RawFilter | null;
  readonly search: string | null;
  readonly groupBy: readonly string[];
  readonly computed: readonly Computed[];
  readonly deleted: 'with' | 'only' | null;
  /** Whether names that no rule grants stay in the query. */
  readonly bold: boolean;
}

const EXACT: readonly ScalarType[] = ['integer', 'bigint', 'decimal'];
const TIMES: readonly ScalarType[] = ['date', 'time', 'timestamp'];

const isOf = (field: FieldShape, types: readonly ScalarType[]): boolean =>
  field.kind === 'column' && types.includes(field.type);

/** Doubles are left out: their sum depends on the order. */
function computedOf(collection: string): fc.Arbitrary<Computed> {
  const fields = shapesOf(collection).filter((field) => field.kind !== 'to-many');
  const counted = fields.map(({ name }) => name);
  const added = fields.filter((field) => isOf(field, EXACT)).map(({ name }) => name);
  const ordered = fields
    .filter((field) => isOf(field, [...EXACT, ...TIMES]))
    .map(({ name }) => name);
  const of = (fn: Computed['fn'], names: readonly string[]): fc.Arbitrary<Computed>[] =>
    names.length === 0 ? [] : [fc.constantFrom(...names).map((name) => ({ fn, of: name }))];
  return fc.oneof(
    fc.constant<Computed>({ fn: 'count', of: '*' }),
    ...of('count', [...counted, ...calls(collection)]),
    ...of('countDistinct', counted),
    ...of('sum', added),
    ...of('avg', added),
    ...of('min', ordered),
    ...of('max', ordered),
  );
}

const calls = (collection: string): string[] =>
  shapesOf(collection).flatMap((field) => functionsOf(field).map((fn) => `${fn}(${field.name})`));

const grouped = (collection: string): string[] => [
  ...shapesOf(collection).flatMap((field) => (field.kind === 'to-many' ? [] : [field.name])),
  ...calls(collection),
];

export const grouping: fc.Arbitrary<Grouping> = fc
  .constantFrom(...COLLECTIONS.map(({ name }) => name))
  .chain((collection) =>
    fc.record({
      collection: fc.constant(collection),
      filter: fc.option(filterOf(collection, 'query'), { freq: 1, nil: null }),
      search: fc.oneof(
        { arbitrary: fc.constant(null), weight: 4 },
        { arbitrary: often(SEARCHES), weight: 1 },
      ),
      groupBy: fc.uniqueArray(fc.constantFrom(...grouped(collection)), { maxLength: 3 }),
      computed: fc.uniqueArray(computedOf(collection), {
        minLength: 1,
        maxLength: 4,
        selector: ({ fn, of }) => `${fn} ${of}`,
      }),
      deleted: deletedOf(collection),
      bold: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 9),
    }),
  );
