import fc from 'fast-check';
import { type FieldShape, functionsOf, isStored } from '../../../src/engine';
import { SEARCHES, STORED } from '../pools';
import { COLLECTIONS, shapesOf, tableOf, THINGS } from '../tables';
import { type Asked, type AskedRelation, type Query, shownName } from '../world';
import { filterOf, manyVariables, often } from './filters';

type Arb<T> = fc.Arbitrary<T>;

const mostly = <T>(arbitrary: Arb<T>): Arb<T | null> =>
  fc.option(arbitrary, { freq: 4, nil: null });
const seldom = <T>(arbitrary: Arb<T>, nulls = 8): Arb<T | null> =>
  fc.oneof({ arbitrary: fc.constant(null), weight: nulls }, { arbitrary, weight: 1 });

const made = new Map<string, Arb<Asked>>();

/** A query for rows of a collection; relations are opened to a depth. */
function askedOf(collection: string, depth: number): Arb<Asked> {
  const id = `${collection} ${depth}`;
  const known = made.get(id);
  if (known) return known;
  const asked = fc
    .record({
      star: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 3),
      fields: fieldsOf(collection),
      relations: relationsOf(collection, depth),
      filter: mostly(
        fc.oneof(
          { arbitrary: filterOf(collection, 'query'), weight: 40 },
          { arbitrary: manyVariables(collection), weight: 1 },
        ),
      ),
      search: seldom(often(SEARCHES), 4),
      sort: fc.array(sortTerm(collection, 3), { maxLength: 4 }),
      limit: seldom(fc.constantFrom(-1, -1, 0, 1, 2, 7)),
      offset: seldom(fc.constantFrom(0, 1, 2)),
      page: seldom(fc.constantFrom(1, 2)),
    })
    .map(consistent);
  made.set(id, asked);
  return asked;
}

/** Asks for everything if nothing else is asked for. */
const consistent = (asked: Asked): Asked => ({
  ...asked,
  star: asked.star || asked.fields.length + asked.relations.length === 0,
});

const stored = (collection: string): FieldShape[] =>
  shapesOf(collection).filter((shape) => shape.kind !== 'to-many');

const fieldsOf = (collection: string): Arb<Asked['fields']> =>
  fc
    .uniqueArray(
      fc.record({
        name: fc.oneof(
          { arbitrary: fc.constantFrom(...stored(collection).map(({ name }) => name)), weight: 4 },
          { arbitrary: fc.constantFrom(...callsOf(collection)), weight: 1 },
        ),
        aliased: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 9),
      }),
      { maxLength: 4, selector: ({ name }) => name },
    )
    .map((fields) =>
      fields.map(({ name, aliased }, index) => {
        const as = shownName(name);
        // Two fields under the same name are refused.
        const isTaken = fields.some((other, at) => at < index && shownName(other.name) === as);
        return { as: aliased || isTaken ? `own${index}` : as, name };
      }),
    );

/** Every function of every field; if there is none, a field. */
function callsOf(collection: string): string[] {
  const shapes = shapesOf(collection);
  const calls = shapes.flatMap((shape) => functionsOf(shape).map((fn) => `${fn}(${shape.name})`));
  return calls.length > 0 ? calls : stored(collection).map(({ name }) => name);
}

function relationsOf(collection: string, depth: number): Arb<AskedRelation[]> {
  const names = shapesOf(collection).filter(
    (shape) => shape.kind === 'to-many' || (shape.kind === 'to-one' && depth > 0),
  );
  if (names.length === 0 || depth === 0) return fc.constant([]);
  const relation = fc.constantFrom(...names).chain((shape) =>
    fc.record({
      name: fc.constant(shape.name),
      aliased: fc.integer({ min: 0, max: 5 }).map((draw) => draw === 5),
      asked: openedAs(shape, depth),
    }),
  );
  return fc.array(relation, { maxLength: 2 }).map((relations) =>
    relations.map(({ name, aliased, asked }, index) => ({
      // The same relation may be opened twice, under two names.
      as:
        aliased || relations.findIndex((each) => each.name === name) < index ? `rel${index}` : name,
      name,
      asked,
    })),
  );
}

/** A query for a relation: a single row has no order and no page; a list may be named without being opened. */
function openedAs(shape: FieldShape, depth: number): Arb<Asked | null> {
  if (shape.kind === 'column') throw new Error(`${shape.name} leads nowhere`);
  const asked = askedOf(shape.target, depth - 1);
  if (shape.kind === 'to-many') return fc.option(asked, { freq: 5, nil: null });
  return asked.map((inner) => plain(inner));
}

const plain = (asked: Asked): Asked => ({
  ...asked,
  filter: null,
  search: null,
  sort: [],
  limit: null,
  offset: null,
  page: null,
});

function sortTerm(collection: string, hops: number): Arb<string> {
  return fc
    .tuple(fc.constantFrom('', '-'), sortPath(collection, hops))
    .map(([sign, path]) => sign + path);
}

function sortPath(collection: string, hops: number): Arb<string> {
  const shapes = shapesOf(collection);
  const ordered = stored(collection)
    .filter(({ name }) => isOrdered(collection, name))
    .map(({ name }) => name);
  const calls = shapes.flatMap((shape) => functionsOf(shape).map((fn) => `${fn}(${shape.name})`));
  const ones = shapes.filter((shape) => shape.kind === 'to-one');
  return fc.oneof(
    { arbitrary: fc.constantFrom(...ordered), weight: 5 },
    ...(calls.length > 0 ? [{ arbitrary: fc.constantFrom(...calls), weight: 2 }] : []),
    ...(hops > 0 && ones.length > 0
      ? [
          {
            arbitrary: fc
              .constantFrom(...ones)
              .chain((one) =>
                sortPath(one.kind === 'to-one' ? one.target : '', hops - 1).map(
                  (rest) => `${one.name}.${rest}`,
                ),
              ),
            weight: 2,
          },
        ]
      : []),
  );
}

function isOrdered(collection: string, name: string): boolean {
  const field = tableOf(collection).fields.get(name)?.shape;
  return field !== undefined && isStored(field) && field.type !== 'json' && field.type !== 'array';
}

/** Whether to ask for deleted rows, where they are kept; more often than most callers would. */
export const deletedOf = (collection: string): Arb<'with' | 'only' | null> =>
  tableOf(collection).deletedAt === undefined
    ? fc.constant(null)
    : fc.constantFrom(null, null, 'with', 'only');

const COLLECTION_NAMES = COLLECTIONS.map(({ name }) => name);

/** Mostly for the collection with every kind of field. */
export const query: Arb<Query> = fc
  .oneof(
    { arbitrary: fc.constant(THINGS), weight: 2 },
    { arbitrary: fc.constantFrom(...COLLECTION_NAMES), weight: 1 },
  )
  .chain((collection) =>
    fc.record({
      collection: fc.constant(collection),
      asked: askedOf(collection, 2),
      key: seldom(fc.constantFrom(...(STORED[`${tableOf(collection).keyType} key`] ?? []))),
      meta: fc.boolean(),
      keyAsText: fc.boolean(),
      deleted: deletedOf(collection),
      bold: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 9),
      simple: fc.integer({ min: 0, max: 5 }).map((draw) => draw === 5),
    }),
  )
  .map((drawn): Query => {
    if (drawn.simple)
      return { ...drawn, asked: simplified(drawn.asked), meta: false, deleted: null };
    return drawn.key === null ? drawn : { ...drawn, asked: plain(drawn.asked) };
  });

function simplified(asked: Asked): Asked {
  const fields = asked.fields.filter(({ as, name }) => as === name).slice(0, 1);
  return consistent({ ...plain(asked), limit: asked.limit, fields, relations: [] });
}
