import fc from 'fast-check';
import type { Cell, ToManyShape, ToOneShape } from '../../../src/engine';
import { MASK, STORED } from '../pools';
import { type ModelField, type ModelTable, tableOf } from '../tables';
import type { SentRow } from '../world';
import { often } from './filters';

type Arb<T> = fc.Arbitrary<T>;

export const stored = ({ fields }: ModelTable): [string, ModelField][] =>
  [...fields].filter(([, { shape, computed }]) => shape.kind !== 'to-many' && !computed);

/** A value that can be sent; JSON has no NaN, and no exact number beyond 2^53. */
export function valueOf({ shape, pool }: ModelField): Arb<Cell> {
  if (shape.kind === 'to-many') throw new Error(`${shape.name} is a list`);
  const { maxLength = Infinity } = shape;
  // Sent times have no microseconds.
  const values = (STORED[pool === 'fine' ? 'timestamp' : pool] ?? []).filter((value) =>
    typeof value === 'number'
      ? Math.abs(value) <= Number.MAX_SAFE_INTEGER
      : value !== 'NaN' && (typeof value !== 'string' || value.length <= maxLength),
  );
  const freq = shape.nullable ? 4 : 40;
  const value = shape.concealed ? fc.oneof(often(values), fc.constant(MASK)) : often(values);
  return fc.option(value, { freq, nil: null });
}

/** Some of the fields; for a new row all required ones, and sometimes its key. */
function flatPayload(table: ModelTable, whole: boolean, linked = ''): Arb<SentRow> {
  const entries = stored(table).filter(
    ([name]) => name !== linked && (whole || name !== table.key),
  );
  const required = entries.filter(
    ([name, { shape }]) =>
      whole && name !== table.key && shape.kind !== 'to-many' && !shape.nullable,
  );
  const names = entries.map(([name]) => name);
  return fc
    .tuple(
      fc.record(Object.fromEntries(entries.map(([name, field]) => [name, valueOf(field)]))),
      fc.shuffledSubarray(names, { maxLength: Math.min(names.length, 4) }),
    )
    .map(([values, chosen]) => {
      const sent = new Set([...required.map(([name]) => name), ...chosen]);
      const kept = Object.entries(values).filter(([name]) => sent.has(name));
      // A null is left out as the key.
      return Object.fromEntries(kept.filter(([name, cell]) => name !== table.key || cell !== null));
    });
}

/** The position of rows in the payload; rows of a list do not send the key that links them. */
interface Nesting {
  /** How deep relations are nested. */
  readonly depth: number;
  readonly least?: number;
  readonly linked?: string;
}

const made = new Map<string, Arb<SentRow>>();

/** Some of the fields, and for some relations the changes to related rows. */
export function payloadOf(table: ModelTable, whole: boolean, nesting: Nesting): Arb<SentRow> {
  const { depth, least = 0, linked } = nesting;
  const id = JSON.stringify([table.name, whole, nesting]);
  const known = made.get(id);
  if (known) return known;
  const related = [...table.fields.values()].filter(
    ({ shape }) => shape.kind !== 'column' && shape.name !== linked,
  );
  const flat = flatPayload(table, whole, linked);
  const most = Math.min(related.length, least + 1);
  const payload =
    depth === 0 || related.length === 0
      ? flat
      : fc
          .tuple(
            flat,
            fc
              .shuffledSubarray(related, { minLength: Math.min(least, most), maxLength: most })
              .chain((chosen) => fc.tuple(...chosen.map((field) => relationOf(field, depth - 1)))),
          )
          .map(([cells, relations]) => ({ ...cells, ...Object.fromEntries(relations) }));
  made.set(id, payload);
  return payload;
}

function relationOf({ shape }: ModelField, depth: number): Arb<[string, Cell]> {
  if (shape.kind === 'column') throw new Error(`${shape.name} leads nowhere`);
  const sent = shape.kind === 'to-one' ? oneOf(shape, depth) : listOf(shape, depth);
  return sent.map((each): [string, Cell] => [shape.name, each]);
}

const keyOf = ({ keyType }: ModelTable): Arb<Cell> =>
  fc.constantFrom(...(STORED[`${keyType} key`] ?? []));

const keyed = (table: ModelTable, payload: Arb<SentRow>): Arb<SentRow> =>
  fc.tuple(keyOf(table), payload).map(([id, row]) => ({ id, ...row }));

function oneOf({ target, nullable }: ToOneShape, depth: number): Arb<Cell> {
  const table = tableOf(target);
  return fc.oneof(
    { arbitrary: payloadOf(table, true, { depth }), weight: 3 },
    { arbitrary: keyed(table, payloadOf(table, false, { depth })), weight: 4 },
    { arbitrary: keyed(table, fc.constant({})), weight: 1 },
    { arbitrary: keyOf(table), weight: 1 },
    { arbitrary: fc.constant(null), weight: nullable ? 1 : 0 },
  );
}

function listOf({ target, foreignKey, through }: ToManyShape, depth: number): Arb<Cell> {
  const table = tableOf(target);
  const nesting = { depth, ...(foreignKey !== undefined && { linked: foreignKey }) };
  const row = payloadOf(table, true, nesting);
  const change = keyed(table, payloadOf(table, false, nesting));
  const link =
    through && !tableOf(through.collection).implicit
      ? fc.oneof(keyOf(table), row).map((far) => ({ [through.targetForeignKey]: far }))
      : undefined;
  const member = fc.oneof(
    { arbitrary: keyOf(table), weight: 2 },
    { arbitrary: row, weight: 2 },
    { arbitrary: change, weight: 2 },
    ...(link ? [{ arbitrary: link, weight: 1 }] : []),
  );
  const some = (members: Arb<Cell>): Arb<Cell[]> =>
    fc.uniqueArray(members, { maxLength: 2, selector: (each) => JSON.stringify(each) });
  const changes = fc.record(
    {
      create: some(fc.oneof({ arbitrary: row, weight: 4 }, ...(link ? [link] : []))),
      update: some(fc.oneof({ arbitrary: change, weight: 3 }, keyOf(table))),
      delete: fc.uniqueArray(keyOf(table), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  return fc.oneof({ arbitrary: some(member), weight: 2 }, { arbitrary: changes, weight: 3 });
}
