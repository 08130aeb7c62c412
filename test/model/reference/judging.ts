import Big from 'big.js';
import { type Cell, type ColumnShape, textOf } from '../../../src/engine';
import { fieldOf, shapesOf } from '../tables';
import type { ModelRule, SentRow, StoredRow, World } from '../world';
import { fit, meets } from './meets';
import { byKey, type SeenRow, type Tables } from './seen';
import { isVariable, type ValuesOf } from './variables';
import { allOf, lists, type Views } from './virtual';

/** The caller's rules for an action; an administrator has one that allows everything. */
export function rulesFor(world: World, collection: string, action: string): readonly ModelRule[] {
  if (!world.caller.administrator) {
    return world.rules.filter((rule) => rule.collection === collection && rule.action === action);
  }
  const none = { permissions: null, validation: null, presets: null };
  return [{ collection, action, ...none, fields: ['*'] }];
}

export const covered = (names: readonly string[], rules: readonly ModelRule[]): boolean =>
  rules.length > 0 && names.every((name) => rules.some((rule) => lists(rule, name)));

/** The rules whose row condition a row of the stored tables meets. */
export const metBy = (
  rules: readonly ModelRule[],
  collection: string,
  row: SeenRow,
  tables: Tables,
  valuesOf: ValuesOf,
): readonly ModelRule[] =>
  rules.filter((rule) => meets(rule.permissions, collection, row, { tables, valuesOf }));

/** The presets of several rules; for a field the earlier rule wins. A variable without a value gives null. */
export function presetsOf(
  rules: readonly ModelRule[],
  collection: string,
  valuesOf: ValuesOf,
): SentRow {
  const merged: Record<string, Cell> = {};
  for (const rule of rules.toReversed()) {
    for (const [name, raw] of Object.entries((rule.presets ?? {}) as SentRow)) {
      merged[name] = isVariable(raw) ? presetValue(collection, name, valuesOf(raw)) : raw;
    }
  }
  return merged;
}

function presetValue(collection: string, name: string, values: readonly Cell[]): Cell {
  const field = fieldOf(collection, name);
  if (values.length === 0 || values.includes(null)) return null;
  if (field.kind === 'column' && field.type === 'array') return values as Cell;
  const value = fit(field, null, values[0], true);
  const { scale, maxLength = Infinity }: Partial<ColumnShape> =
    field.kind === 'column' ? field : {};
  // A value that the column cannot hold counts as missing.
  if (value !== null && Array.from(textOf(value)).length > maxLength) return null;
  return value === null || scale === undefined ? value : new Big(textOf(value)).toFixed(scale);
}

/** One row of a write, as it would be stored. */
export interface Draft {
  readonly collection: string;
  /** With null as the key if the database generates it. */
  readonly row: StoredRow;
  /** The key, also if the database generates it: a preset may refer to the row itself. */
  readonly key: Cell;
  /** Every field that was sent for it, including lists and the keys that link it, but not presets. */
  readonly names: readonly string[];
  /** The row's own cells that were sent. */
  readonly cells: SentRow;
  /** The written values: the cells over the presets, with the keys that link it. */
  readonly sent: SentRow;
  /** The rules that reach the row: for a create as it will be, for an update as it was. */
  reached(row: SeenRow, tables: Tables): readonly ModelRule[];
  /** The keys that link it to rows that were there before the request, and that the caller does not see. */
  readonly hidden: ReadonlySet<string>;
  /** Whether it is being created. */
  readonly isNew: boolean;
}

/** Which of the keys that link a row are those of rows that the caller did not see before the request. */
export function hiddenIn(
  link: SentRow,
  collection: string,
  { real, virtual }: Views,
): ReadonlySet<string> {
  const leadsTo = (tables: Tables, name: string): boolean => {
    const field = fieldOf(collection, name);
    return field.kind === 'to-one' && byKey(tables, field.target, link[name] ?? null) !== undefined;
  };
  return new Set(
    Object.keys(link).filter((name) => leadsTo(real, name) && !leadsTo(virtual, name)),
  );
}

export type Verdict = 'permitted' | 'FORBIDDEN' | 'FAILED_VALIDATION';

/** The verdict of the rules on a row as it would be, and on the fields that were sent for it. */
export const verdictOn = (draft: Draft, tables: Tables, valuesOf: ValuesOf): Verdict =>
  verdict(draft, judgedRow(draft), tables, valuesOf);

/** The same for a row that could not be stored: unseen targets count as missing, and nothing refers to the row yet. */
export function verdictUnstored(
  draft: Draft,
  unseen: ReadonlySet<string>,
  tables: Tables,
  valuesOf: ValuesOf,
): Verdict {
  const row = { ...judgedRow(draft), leadNowhere: new Set([...unseen, ...draft.hidden]) };
  return verdict(draft, draft.isNew ? { ...row, key: null } : row, tables, valuesOf);
}

function verdict(draft: Draft, row: SeenRow, tables: Tables, valuesOf: ValuesOf): Verdict {
  const { collection, names } = draft;
  const reached = draft.reached(row, tables);
  const counting = reached.filter((rule) =>
    meets(rule.validation, collection, row, { tables, valuesOf }),
  );
  if (covered(names, counting)) return 'permitted';
  return covered(names, reached) ? 'FAILED_VALIDATION' : 'FORBIDDEN';
}

/** A validation sees the sent value of a concealed field, never the stored one. */
function judgedRow({ collection, row, sent, hidden: leadNowhere }: Draft): SeenRow {
  const concealed = shapesOf(collection).filter((field) => field.concealed);
  const shown = concealed.map(({ name }): [string, Cell] => [name, sent[name] ?? null]);
  return { ...allOf(collection)({ ...row, ...Object.fromEntries(shown) }), leadNowhere };
}

/** How far beyond all others a key may be, unless an administrator sends it. */
const FURTHEST = 10_000;

export function isFar(key: Cell, { collection, isNew }: Draft, { world }: Views): boolean {
  if (!isNew || typeof key !== 'number' || world.caller.administrator) return false;
  const stored = (world.rows[collection] ?? []).map((row) => Number(row['id']));
  return key > Math.max(0, ...stored) + FURTHEST;
}
