import fc from 'fast-check';
import { type Cell, textOf } from '../../../src/engine';
import { STORED, UUIDS } from '../pools';
import { COLLECTIONS, MARKS, type ModelField, type ModelTable, tableOf } from '../tables';
import type { Caller, Contents, ModelRule, RawFilter, StoredRow, World } from '../world';
import { filterOf, often } from './filters';
import { ownerOrMember } from './owner-or-member';

type Arb<T> = fc.Arbitrary<T>;

const MAX_ROWS: Readonly<Record<string, number>> = {
  model_things: 8,
  model_notes: 8,
  model_links: 8,
  model_marks: 5,
};

const MIN_ROWS: typeof MAX_ROWS = { model_notes: 4, model_links: 6, model_marks: 3 };

/** A row before its foreign keys are known: they are numbers that select some row of the target, or none. */
type Draft = Readonly<Record<string, unknown>>;

const draftOf = ({ fields, key }: ModelTable): Arb<Draft> =>
  fc.record(
    Object.fromEntries(
      [...fields]
        .filter(
          ([name, { shape, computed }]) => name !== key && shape.kind !== 'to-many' && !computed,
        )
        .map(([name, field]) => [name, cellOf(field)]),
    ),
  );

function cellOf({ shape, pool }: ModelField): Arb<unknown> {
  if (shape.kind === 'to-many') throw new Error(`${shape.name} is a list`);
  const fitting = (STORED[pool] ?? []).filter(
    (value) =>
      shape.kind !== 'column' ||
      shape.maxLength === undefined ||
      textOf(value ?? '').length <= shape.maxLength,
  );
  if (pool === 'deleted') return often(fitting);
  const [cell, freq] = shape.kind === 'to-one' ? [fc.nat({ max: 9 }), 7] : [often(fitting), 3];
  return shape.nullable ? fc.option(cell, { freq, nil: null }) : cell;
}

function draftsOf(table: ModelTable): Arb<Draft[]> {
  const keys = fc.shuffledSubarray([...(STORED[`${table.keyType} key`] ?? [])], {
    minLength: MIN_ROWS[table.name] ?? 2,
    maxLength: MAX_ROWS[table.name] ?? 4,
  });
  return keys.chain((chosen) =>
    fc
      .array(draftOf(table), { minLength: chosen.length, maxLength: chosen.length })
      .map((drafts) => drafts.map((draft, index) => ({ ...draft, [table.key]: chosen[index] }))),
  );
}

const TABLES = [...COLLECTIONS, MARKS];

/** Replaces foreign keys by keys of existing rows; a row whose required target is missing is left out. */
function linked(drafts: Readonly<Record<string, readonly Draft[]>>): Contents {
  const contents: Record<string, StoredRow[]> = {};
  for (const table of TABLES) {
    contents[table.name] = (drafts[table.name] ?? []).flatMap((draft) => {
      const row = linkRow(draft, table, drafts);
      return row ? [row] : [];
    });
  }
  const pairs = (contents[MARKS.name] ?? []).map(
    (row) => [JSON.stringify([row['thing'], row['place']]), row] as const,
  );
  return { ...contents, [MARKS.name]: [...new Map(pairs).values()] };
}

function linkRow(
  draft: Draft,
  table: ModelTable,
  drafts: Readonly<Record<string, readonly Draft[]>>,
): StoredRow | undefined {
  const row: Record<string, Cell> = {};
  for (const [name, { shape, computed }] of table.fields) {
    if (shape.kind === 'to-many' || computed) continue;
    row[name] = (draft[name] ?? null) as Cell;
    if (shape.kind !== 'to-one' || row[name] === null) continue;
    const targets = drafts[shape.target] ?? [];
    const target = targets[Number(draft[name]) % Math.max(targets.length, 1)];
    row[name] = (target?.[tableOf(shape.target).key] ?? null) as Cell;
    if (row[name] === null && !shape.nullable) return undefined;
  }
  return row;
}

const contents: Arb<Contents> = fc
  .record(Object.fromEntries(TABLES.map((table) => [table.name, draftsOf(table)])))
  .map(linked);

const anyRows = (table: ModelTable): Arb<RawFilter | null> =>
  fc.oneof(
    { arbitrary: filterOf(table.name, 'rule', 2), weight: 3 },
    { arbitrary: ownerOrMember(table), weight: 1 },
    { arbitrary: fc.constantFrom(null, {}), weight: 2 },
  );

/** Deleted rows are shown to callers who may delete them. */
const deleteRules: Arb<ModelRule[]> = fc
  .tuple(
    ...COLLECTIONS.filter(({ deletedAt }) => deletedAt !== undefined).map((table) =>
      fc.array(
        anyRows(table).map((permissions) => ({
          ...{ collection: table.name, action: 'delete', permissions },
          ...{ validation: null, presets: null, fields: null },
        })),
        { maxLength: 2 },
      ),
    ),
  )
  .map((each) => each.flat());

function readRule(table: ModelTable, permissions = anyRows(table)): Arb<ModelRule> {
  const names = [...table.fields.keys()];
  return fc.record({
    collection: fc.constant(table.name),
    action: fc.constant('read'),
    permissions,
    validation: fc.constant(null),
    presets: fc.constant(null),
    fields: fieldsOf(names),
  });
}

/** All, some, or no fields; sometimes most of them by name. */
export const fieldsOf = (names: readonly string[]): Arb<readonly string[] | null> =>
  fc.oneof(
    { arbitrary: fc.constant(['*']), weight: 3 },
    { arbitrary: fc.shuffledSubarray([...names], { minLength: 1 }), weight: 8 },
    { arbitrary: fc.constantFrom<string[] | null>([], null), weight: 1 },
  );

const readRules: Arb<ModelRule[]> = fc
  .tuple(
    ...COLLECTIONS.map((table) =>
      fc.oneof(
        {
          arbitrary: fc.array(readRule(table), { minLength: 1, maxLength: 3, size: 'max' }),
          weight: 7,
        },
        // Every rule has such a condition, so that rows are not reached in other ways as well.
        {
          arbitrary: fc.array(readRule(table, ownerOrMember(table)), {
            minLength: 1,
            maxLength: 2,
          }),
          weight: 2,
        },
        { arbitrary: fc.constant([]), weight: 1 },
      ),
    ),
  )
  .map((each) => each.flat());

const rules = fc.tuple(readRules, deleteRules).map((each) => each.flat());

const caller: Arb<Caller> = fc.record({
  administrator: fc.integer({ min: 0, max: 14 }).map((draw) => draw === 14),
  user: fc.option(fc.constantFrom(...UUIDS), { freq: 7, nil: null }),
  policies: fc.shuffledSubarray([...UUIDS], { maxLength: 2 }),
});

export const world: Arb<World> = fc.record({ rows: contents, caller, rules });
