import { type Cell, type FieldShape, isStored, type ToOneShape } from '../../../src/engine';
import { madeUpKey } from '../made-up';
import { fieldOf, shapesOf, tableOf } from '../tables';
import type { Contents, SentRow, StoredRow } from '../world';
import { Claims } from './claims';
import { withoutRows } from './deleting';
import {
  covered,
  type Draft,
  hiddenIn,
  isFar,
  metBy,
  presetsOf,
  rulesFor,
  verdictOn,
  verdictUnstored,
} from './judging';
import { linksOf, writeList } from './lists';
import { byKey, type Tables } from './seen';
import { isNew, partsOf, unmasked } from './sent';
import { isLive, type Views, viewsOf } from './virtual';

/** The codes with which a write may be refused, and the rows after it otherwise. With both, either may happen. */
export interface Outcome {
  readonly codes: ReadonlySet<string>;
  readonly left?: { readonly rows: Contents; readonly keys: readonly Cell[] };
}

/** A fault of a row, by the schema or by the caller's view of other rows. */
interface Fault {
  readonly draft: Draft;
  readonly code: string;
  /** Whether another write of the same request may correct it in time. */
  readonly mayBeMended: () => boolean;
  /** Whether it is found only after everything has been written and judged. */
  readonly late?: boolean;
  /** The foreign key whose target the caller does not see. */
  readonly unseen?: string;
  /** For a row after others of the request, to which it may refer: the writes before it. */
  readonly after?: Written;
}

interface Written {
  readonly rows: Contents;
  readonly drafts: readonly Draft[];
  /** Whether the next row refers to one of them. */
  readonly referred: boolean;
}

const never = (): boolean => false;
const NOTHING: SentRow = {};

/** A field that was left out has a different code from one that was set to null. */
const whyMissing = ({ sent }: Draft, name: string): string =>
  Object.hasOwn(sent, name) ? 'NOT_NULL_VIOLATION' : 'FAILED_VALIDATION';

/**
 * One request. Every row is checked under the rules of its collection and action, on the tables as they were before;
 * then everything is judged on the tables after the last write. New keys are assigned in the order of writes: first the
 * rows that a row refers to, then the row, then the rows that refer to it.
 */
export class Request {
  readonly virtual: Tables;
  private rows: Contents;
  private readonly early = new Set<string>();
  private readonly faults: Fault[] = [];
  private readonly drafts: Draft[] = [];
  private readonly claims = new Claims((code) => this.refuse(code));
  /** The writes before the examined row, if it refers to others of the request. */
  private after: Written | undefined;
  private readonly made = new Map<string, number>();
  private writes = 0;

  constructor(private readonly views: Views) {
    this.virtual = views.virtual;
    this.rows = views.world.rows;
  }

  refuse(code: string): void {
    this.early.add(code);
  }

  /** @param link keys of rows that it belongs to: setting them requires the same right as sending them */
  create(collection: string, written: SentRow, link = NOTHING): Cell {
    const { world, ruleValues } = this.views;
    const rules = rulesFor(world, collection, 'create');
    const payload = unmasked(written, collection, rules);
    const names = [...Object.keys(payload), ...Object.keys(link)];
    if (!covered(names, rules)) this.refuse('FORBIDDEN');
    const { cells, ones, lists } = this.parts(collection, payload);
    const own = { ...cells, ...this.writeOnes(collection, ones), ...link };
    const sent = { ...presetsOf(rules, collection, ruleValues), ...own };
    // A field that neither the payload nor a preset sets is NULL.
    const stored = shapesOf(collection).filter(isStored);
    const row = Object.fromEntries(stored.map(({ name }) => [name, sent[name] ?? null]));
    const key = row['id'] ?? this.makeUpKey(collection);
    const draft: Draft = {
      ...{ collection, row, names, cells, sent, key },
      hidden: hiddenIn(link, collection, this.views),
      reached: (as, tables) => metBy(rules, collection, as, tables, ruleValues),
      isNew: true,
    };
    this.after = this.writtenBefore(ones.length > 0 || link !== NOTHING);
    this.examine(draft, Object.keys(row));
    this.note({ ...draft, row: { ...row, id: key } });
    for (const [field, change] of lists) writeList(this, field, change, key, []);
    return key;
  }

  update(collection: string, key: Cell, written: SentRow, link = NOTHING): void {
    const { world, real, ruleValues } = this.views;
    const before = byKey(real, collection, key);
    const rules = rulesFor(world, collection, 'update');
    const payload = unmasked(written, collection, rules);
    const met = before ? metBy(rules, collection, before, real, ruleValues) : [];
    const names = [...Object.keys(payload), ...Object.keys(link)];
    if (!covered(names, met)) this.refuse('FORBIDDEN');
    this.claims.write(collection, key);
    for (const foreignKey of Object.keys(link)) this.claims.join(foreignKey, collection, key);
    const { cells, ones, lists } = this.parts(collection, payload);
    const own = { ...cells, ...this.writeOnes(collection, ones), ...link };
    const sent = { ...presetsOf(met, collection, ruleValues), ...own };
    const kept = world.rows[collection]?.find((each) => each[tableOf(collection).key] === key);
    const row = { ...kept, ...sent };
    const reached = () => met;
    const draft: Draft = {
      ...{ collection, row, names, cells, sent, key, reached, isNew: false },
      hidden: hiddenIn(link, collection, this.views),
    };
    this.after = this.writtenBefore(ones.length > 0 || link !== NOTHING);
    this.examine(draft, Object.keys(sent));
    this.note(draft);
    for (const [field, change] of lists)
      writeList(this, field, change, key, linksOf(this.virtual, key, field));
  }

  delete(collection: string, keys: readonly Cell[]): void {
    const { world, real, ruleValues } = this.views;
    if (keys.length === 0) return;
    const rules = rulesFor(world, collection, 'delete');
    for (const key of keys) {
      const row = byKey(real, collection, key);
      const met = row ? metBy(rules, collection, row, real, ruleValues) : [];
      if (met.length === 0) this.refuse('FORBIDDEN');
      this.claims.write(collection, key);
    }
    const left = withoutRows(this.rows, collection, keys);
    this.writes++;
    if (left) this.rows = left;
    else if (this.early.size === 0) this.refuse('INVALID_FOREIGN_KEY');
  }

  /** Checks a payload before any row is read. */
  parts(collection: string, payload: SentRow) {
    const parts = partsOf(payload, collection);
    const isMissing = (field: FieldShape): boolean =>
      isStored(field) && !field.nullable && parts.cells[field.name] === null;
    if (shapesOf(collection).some(isMissing)) this.refuse('NOT_NULL_VIOLATION');
    const { deletedAt = '' } = tableOf(collection);
    if (Object.hasOwn(payload, deletedAt)) this.refuse('INVALID_PAYLOAD');
    return parts;
  }

  stored = (collection: string): readonly StoredRow[] => this.rows[collection] ?? [];

  store(collection: string, rows: readonly StoredRow[]): void {
    this.rows = { ...this.rows, [collection]: rows };
    this.writes++;
  }

  /** The outcome of the request. @param keys of the rows that it was sent for */
  outcome(keys: readonly Cell[]): Outcome {
    if (this.early.size > 0) return { codes: this.early };
    const codes = new Set(this.faults.flatMap((fault) => this.codesOf(fault)));
    const isRefused = !this.faults.every((fault) => fault.mayBeMended());
    if (isRefused && !this.faults.every(({ late }) => late)) return { codes };
    const after = viewsOf({ ...this.views.world, rows: this.rows }, this.views.ruleValues);
    const verdicts = this.drafts.map((draft) => verdictOn(draft, after.real, after.ruleValues));
    const against = verdicts.filter((verdict) => verdict !== 'permitted');
    if (isRefused || against.length > 0) return { codes: new Set([...codes, ...against]) };
    return { codes, left: { rows: this.rows, keys } };
  }

  /**
   * A fault found by the database is reported only if the rules permit the row. If the row refers to others of the
   * request, it is judged together with them, and they must be permitted too. If it merely follows others, either is
   * right.
   */
  private codesOf(fault: Fault): readonly string[] {
    const { after } = fault;
    if (!after) return this.codesAfter(fault, undefined);
    const alone = after.referred ? [] : this.codesAfter(fault, undefined);
    return [...alone, ...this.codesAfter(fault, after)];
  }

  private codesAfter({ draft, code }: Fault, after: Written | undefined): readonly string[] {
    const ours = this.faults.filter((fault) => fault.draft === draft);
    const unseen = new Set(ours.flatMap((fault) => fault.unseen ?? []));
    const { world, ruleValues } = this.views;
    const { real } = after ? viewsOf({ ...world, rows: after.rows }, ruleValues) : this.views;
    const verdict = verdictUnstored(draft, unseen, real, ruleValues);
    if (verdict !== 'permitted') return [verdict];
    const others = (after?.drafts ?? []).map((each) => verdictOn(each, real, ruleValues));
    return [code, ...others.filter((each) => each !== 'permitted')];
  }

  private writtenBefore(referred: boolean): Written | undefined {
    const isAlone = this.writes === 0 && !referred;
    return isAlone ? undefined : { rows: this.rows, drafts: [...this.drafts], referred };
  }

  private note(draft: Draft): void {
    const { collection, row } = draft;
    const others = this.stored(collection).filter((each) => each['id'] !== row['id']);
    this.store(collection, [...others, row]);
    this.drafts.push(draft);
  }

  /** @param written all fields that are written, from the payload or from presets */
  private examine(draft: Draft, written: readonly string[]): void {
    for (const name of written) {
      const field = fieldOf(draft.collection, name);
      const cell = draft.row[name] ?? null;
      if (name === 'id') this.examineKey(draft, cell);
      else if (field.kind === 'to-one' && cell !== null) this.examineTarget(draft, field, cell);
      else if (cell === null && isStored(field) && !field.nullable)
        this.fault({ draft, code: whyMissing(draft, name), mayBeMended: never });
    }
  }

  private fault(fault: Fault): void {
    const { after } = this;
    this.faults.push({ ...fault, ...(after && !fault.late && { after }) });
  }

  private examineKey(draft: Draft, key: Cell): void {
    if (isFar(key, draft, this.views))
      this.fault({ draft, code: 'VALUE_OUT_OF_RANGE', mayBeMended: never });
    const code = 'RECORD_NOT_UNIQUE';
    if (this.isStored(draft.collection, key)) this.fault({ draft, code, mayBeMended: never });
    // It is not specified whether a row leaves a list before the new row is created.
    else if (byKey(this.views.real, draft.collection, key))
      this.fault({ draft, code, mayBeMended: () => true });
  }

  /** The row of a sent key must be visible to the caller before the request or by now; that of a preset must exist. */
  private examineTarget(draft: Draft, { name, target }: ToOneShape, key: Cell): void {
    const isSent = Object.hasOwn(draft.cells, name) && draft.cells[name] === key;
    const isItself = target === draft.collection && key === draft.key;
    const isThere = isSent
      ? byKey(this.virtual, target, key) !== undefined
      : isItself || this.isLive(target, key);
    const mayBeMended = (): boolean => this.writes > 1 && this.isLive(target, key);
    const code = 'INVALID_FOREIGN_KEY';
    // For the database, a row that is marked as deleted exists.
    const isChecked = isSent && !this.views.world.caller.administrator;
    const late = !isChecked && this.isStored(target, key);
    if (!isThere) this.fault({ draft, code, mayBeMended, late, ...(isSent && { unseen: name }) });
  }

  private isStored = (collection: string, key: Cell): boolean =>
    key !== null && this.stored(collection).some((row) => row['id'] === key);

  private isLive = (collection: string, key: Cell): boolean =>
    key !== null &&
    this.stored(collection).some((row) => row['id'] === key && isLive(collection)(row));

  private makeUpKey(collection: string): Cell {
    const number = this.made.get(collection) ?? 0;
    this.made.set(collection, number + 1);
    const key = madeUpKey(tableOf(collection).keyType, number);
    // If the key is taken, the next one is used.
    return this.isStored(collection, key) ? this.makeUpKey(collection) : key;
  }

  keep(collection: string, keys: readonly Cell[], foreignKey: string): void {
    for (const key of keys) this.claims.keep(foreignKey, collection, key);
  }

  /** An object without a key, or with a new one, creates the row; any other updates it, or only names it. */
  private writeOnes(
    collection: string,
    ones: readonly (readonly [string, SentRow])[],
  ): Record<string, Cell> {
    const keys: Record<string, Cell> = {};
    for (const [name, { id, ...payload }] of ones) {
      const field = fieldOf(collection, name);
      if (field.kind !== 'to-one') throw new Error(`${name} leads to no single row`);
      keys[name] = id ?? null;
      if (id === undefined) keys[name] = this.create(field.target, payload);
      else if (isNew({ id, ...payload }, field.target, this.virtual))
        this.create(field.target, { id, ...payload });
      else if (!byKey(this.virtual, field.target, id)) this.refuse('INVALID_FOREIGN_KEY');
      else if (Object.keys(payload).length > 0) this.update(field.target, id, payload);
    }
    return keys;
  }
}
