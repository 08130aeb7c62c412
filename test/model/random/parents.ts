import fc from 'fast-check';
import type { Cell } from '../../../src/engine';
import { STORED } from '../pools';
import { COLLECTIONS, type ModelTable, shapesOf, tableOf } from '../tables';
import type { ModelRule, RawFilter, SentRow, Write } from '../world';
import { filterOf } from './filters';
import { payloadOf } from './payloads';

type Arb<T> = fc.Arbitrary<T>;

/** A write that names a row of the same or another collection; the key is filled in later. */
export interface ParentWrite {
  readonly parent: string;
  readonly write: Write;
}

/** The placeholder for the key. */
const OPEN = '$open';

export const MISSING_KEYS = { integer: 4242, uuid: 'cccccccc-0000-4000-8000-00000000000c' };

export const naming = ({ write }: ParentWrite, key: string | number): Write =>
  JSON.parse(JSON.stringify(write).replaceAll(`"${OPEN}"`, JSON.stringify(key))) as Write;

interface Hop {
  readonly table: ModelTable;
  readonly field: string;
  readonly parent: string;
}

const HOPS: readonly Hop[] = COLLECTIONS.flatMap((table) =>
  shapesOf(table.name).flatMap((shape) =>
    shape.kind === 'to-one' ? [{ table, field: shape.name, parent: shape.target }] : [],
  ),
);

/** Sent in the row itself, in a row of a list, in a nested row instead of a key, or as the link of a list. */
export const parentWrite: Arb<ParentWrite> = fc.constantFrom(...HOPS).chain((hop) => {
  const row = payloadOf(hop.table, true, { depth: 0 }).map((sent) => ({
    ...withoutId(sent),
    [hop.field]: OPEN,
  }));
  const writes: Arb<Write>[] = [
    row.map((sent) => created(hop.table.name, sent)),
    updated(hop.table, fc.constant({ [hop.field]: OPEN })),
    ...HOPS.filter(({ parent }) => parent === hop.table.name).map(({ table, field }) =>
      fc
        .tuple(payloadOf(table, true, { depth: 0 }), row)
        .map(([sent, inner]) => created(table.name, { ...withoutId(sent), [field]: inner })),
    ),
    ...listsOf(hop, row),
  ];
  return fc.oneof(...writes).map((write) => ({ parent: hop.parent, write }));
});

function listsOf({ table, field }: Hop, row: Arb<SentRow>): Arb<Write>[] {
  return COLLECTIONS.flatMap((holder) =>
    shapesOf(holder.name).flatMap((shape) => {
      if (shape.kind !== 'to-many') return [];
      const { name, target, through } = shape;
      const inList = target === table.name && shape.foreignKey !== field;
      const isLink = through?.collection === table.name && through.targetForeignKey === field;
      return [
        ...(inList
          ? [
              updated(
                holder,
                row.map((sent) => ({ [name]: { create: [sent] } })),
              ),
            ]
          : []),
        ...(isLink
          ? [
              updated(holder, fc.constant({ [name]: { create: [{ [field]: OPEN }] } })),
              updated(holder, fc.constant({ [name]: { update: [OPEN] } })),
            ]
          : []),
      ];
    }),
  );
}

const created = (collection: string, sent: SentRow): Write => ({
  ...{ collection, bold: true, kind: 'create', payloads: [sent] },
});

const updated = ({ name, keyType }: ModelTable, payload: Arb<SentRow>): Arb<Write> =>
  fc.tuple(fc.constantFrom(...(STORED[`${keyType} key`] ?? [])), payload).map(([key, sent]) => ({
    ...{ collection: name, bold: true, kind: 'update', keys: [key], payload: sent },
  }));

const withoutId = ({ id: _, ...sent }: SentRow): Record<string, Cell> => sent;

/** An update of a row, seen or not, that adds a new or an existing row to one of its lists. */
export const listWrite: Arb<Write> = fc.oneof(
  ...COLLECTIONS.flatMap((holder) =>
    shapesOf(holder.name).flatMap((shape) => {
      if (shape.kind !== 'to-many' || tableOf(shape.target).implicit) return [];
      const target = tableOf(shape.target);
      const { foreignKey = '' } = shape;
      const added = payloadOf(target, true, { depth: 0 }).map(
        ({ id: _, [foreignKey]: __, ...sent }) => sent,
      );
      const joining = fc.constantFrom(...(STORED[`${target.keyType} key`] ?? []));
      const change = fc.oneof(
        added.map((sent) => ({ create: [sent] })),
        joining.map((key) => ({ update: [key] })),
      );
      return [
        updated(
          holder,
          change.map((sent) => ({ [shape.name]: sent })),
        ),
      ];
    }),
  ),
);

/** Rules for creating and updating whose conditions mostly lead through parents. */
export const parentRules: Arb<ModelRule[]> = fc
  .tuple(...COLLECTIONS.map((table) => fc.tuple(ruleOf(table, 'create'), ruleOf(table, 'update'))))
  .map((rules) => rules.flat());

function ruleOf(table: ModelTable, action: 'create' | 'update'): Arb<ModelRule> {
  const hops = HOPS.filter((hop) => hop.table === table);
  const through = fc.option(
    hops.length === 0
      ? filterOf(table.name, 'rule', 1)
      : fc
          .constantFrom(...hops)
          .chain(({ field, parent }) =>
            filterOf(parent, 'rule', 1, 1).map((inner): RawFilter => ({ [field]: inner })),
          ),
    { freq: 3, nil: null },
  );
  return fc.record({
    collection: fc.constant(table.name),
    action: fc.constant(action),
    // With such a condition hardly any row to update would be within reach.
    permissions: action === 'create' ? through : fc.constant(null),
    validation: through,
    presets: fc.constant(null),
    fields: fc.constant(['*']),
  });
}
