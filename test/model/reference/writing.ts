import type { Cell } from '../../../src/access';
import { fieldOf, shapesOf, tableOf } from '../tables';
import type { Contents, ModelRule, SentRow, StoredRow, Write } from '../world';
import { withoutRows } from './deleting';
import { brokenBy, covered, type Draft, metBy, presetsOf, rulesFor, verdictOn } from './judging';
import { meets } from './meets';
import { isFilterAllowed, namesOf } from './names';
import { sorted } from './order';
import { byKey, rowsOf } from './seen';
import { lists, mayRead, type Views, viewsOf } from './virtual';

/** What is stored after a write, and the keys of what was written; or the codes with which it may be refused. */
export type Outcome =
  | { readonly rows: Contents; readonly keys: readonly Cell[] }
  | { readonly codes: ReadonlySet<string>; readonly open?: boolean };

/** Keys that the database makes up: those of a sequence, and a uuid that nobody can know. */
export const MADE_UP: Readonly<Record<'integer' | 'uuid', readonly Cell[]>> = {
  integer: [5000, 5001, 5002],
  uuid: ['eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee'],
};

interface Change {
  readonly key: Cell;
  readonly payload: SentRow;
}

const refused = (codes: readonly string[]): Outcome => ({ codes: new Set(codes) });

/** A row that is not seen may be made, or come in sight, by the time when a later row refers to it. */
const perhaps = (codes: readonly string[], drafts: readonly Draft[]): Outcome => ({
  codes: new Set(codes),
  open: drafts.length > 1 && codes.includes('INVALID_FOREIGN_KEY'),
});

/** What a write does to the stored tables under the caller's rules. */
export const outcome = (write: Write, views: Views): Outcome => new Writing(write, views).outcome();

class Writing {
  private readonly collection: string;
  private readonly rules: readonly ModelRule[];

  constructor(
    private readonly write: Write,
    private readonly views: Views,
  ) {
    this.collection = write.collection;
    this.rules = rulesFor(views.world, write.collection, write.kind.split(' ')[0] ?? '');
  }

  outcome(): Outcome {
    const { write } = this;
    if (this.rules.length === 0) return refused(['FORBIDDEN']);
    switch (write.kind) {
      case 'create':
        return this.create(write.payloads);
      case 'update each':
        return this.update(write.updates);
      case 'update':
        return this.update(
          write.keys.map((key) => ({ key, payload: write.payload })),
          write.payload,
        );
      case 'delete':
        return this.delete(write.keys);
      case 'update selected':
      case 'delete selected': {
        const keys = this.selected(write.filter);
        if (!keys) return refused(['FORBIDDEN']);
        if (write.kind === 'delete selected') return this.delete(keys);
        return this.update(
          keys.map((key) => ({ key, payload: write.payload })),
          write.payload,
        );
      }
    }
  }

  /** Rows are selected in the caller's virtual table. */
  private selected(filter: object): Cell[] | undefined {
    const { world, virtual: tables, queryValues: valuesOf } = this.views;
    if (!mayRead(world, this.collection)) return undefined;
    if (!isFilterAllowed(filter, this.collection, namesOf(world))) return undefined;
    const found = rowsOf(tables, this.collection).filter((row) =>
      meets(filter, this.collection, row, { tables, valuesOf }),
    );
    return sorted(found, [], this.collection, tables, new Map()).map(({ key }) => key);
  }

  private create(payloads: readonly SentRow[]): Outcome {
    const early = payloads.flatMap((payload) => this.earlyFaults(payload));
    if (early.length > 0) return refused(early);
    const { collection, views } = this;
    const drafts = payloads.map((payload) => this.created(payload));
    const taken = rowsOf(views.real, collection).map((row) => row.key);
    const keys = drafts.map(keyOf);
    const broken = drafts.map((draft, index) => [
      ...brokenBy(draft, Object.keys(draft.row), views, keys.slice(0, index + 1)),
      ...(this.isTaken(draft, [...taken, ...keys.slice(0, index)]) ? ['RECORD_NOT_UNIQUE'] : []),
    ]);
    const late = this.lateFaults(drafts, broken);
    if (late.length > 0) return perhaps(late, drafts);
    const free = [...MADE_UP[tableOf(collection).keyType]];
    const keyed = (row: StoredRow): StoredRow => ({
      ...row,
      id: row['id'] ?? free.shift() ?? null,
    });
    return this.judged(drafts.map((draft) => ({ ...draft, row: keyed(draft.row) })));
  }

  /** What neither the payload nor a preset sets is NULL. */
  private created(payload: SentRow): Draft {
    const { collection, views, rules } = this;
    const sent = { ...presetsOf(rules, collection, views.ruleValues), ...payload };
    const stored = shapesOf(collection).filter((field) => field.kind !== 'to-many');
    return {
      ...{ collection, payload, sent },
      row: Object.fromEntries(stored.map(({ name }): [string, Cell] => [name, sent[name] ?? null])),
      reached: (row, tables) => metBy(rules, collection, row, tables, views.ruleValues),
    };
  }

  private isTaken(draft: Draft, keys: readonly Cell[]): boolean {
    return keyOf(draft) !== null && keys.includes(keyOf(draft));
  }

  /** @param common what was sent for all rows, and is looked at even if there are none */
  private update(changes: readonly Change[], common: SentRow = {}): Outcome {
    const reached = changes.every(({ key, payload }) =>
      covered(Object.keys(payload), this.met(key)),
    );
    const sent = [common, ...changes.map(({ payload }) => payload)];
    const early = sent.flatMap((payload) => this.earlyFaults(payload));
    if (!reached || early.length > 0) return refused(reached ? early : [...early, 'FORBIDDEN']);
    const drafts = changes.map((change) => this.updated(change));
    const broken = drafts.map((draft) => brokenBy(draft, Object.keys(draft.sent), this.views));
    const late = this.lateFaults(drafts, broken);
    return late.length > 0 ? perhaps(late, drafts) : this.judged(drafts);
  }

  private updated({ key, payload }: Change): Draft {
    const { collection, views } = this;
    const met = this.met(key);
    const sent = { ...presetsOf(met, collection, views.ruleValues), ...payload };
    const stored = views.world.rows[collection]?.find((row) => row['id'] === key);
    return { collection, payload, sent, row: { ...stored, ...sent }, reached: () => met };
  }

  /** The rules that a row meets as it is stored; of a row that is not there none. */
  private met(key: Cell): readonly ModelRule[] {
    const { collection, views, rules } = this;
    const row = byKey(views.real, collection, key);
    return row ? metBy(rules, collection, row, views.real, views.ruleValues) : [];
  }

  /** What can be said of a payload before any row is looked at. */
  private earlyFaults(payload: SentRow): string[] {
    const names = Object.keys(payload);
    if (!names.every((name) => this.rules.some((rule) => lists(rule, name)))) return ['FORBIDDEN'];
    const faulty = names.some((name) => {
      const field = fieldOf(this.collection, name);
      return field.kind !== 'to-many' && !field.nullable && payload[name] === null;
    });
    return faulty ? ['NOT_NULL_VIOLATION'] : [];
  }

  /** What the database has against a row is told only where the rules have nothing against it. */
  private lateFaults(drafts: readonly Draft[], broken: readonly (readonly string[])[]): string[] {
    return drafts.flatMap((draft, index) => {
      const faults = broken[index] ?? [];
      if (faults.length === 0) return [];
      const verdict = verdictOn(draft, this.views.real, this.views.ruleValues);
      return verdict === 'permitted' ? [...faults] : [verdict];
    });
  }

  /** Everything is judged on the tables as the last write left them. */
  private judged(drafts: readonly Draft[]): Outcome {
    const { world, ruleValues } = this.views;
    const stored = world.rows[this.collection] ?? [];
    const written = new Map(drafts.map((draft) => [keyOf(draft), draft.row]));
    const kept = stored.map((row) => written.get(row['id'] ?? null) ?? row);
    const known = new Set(stored.map((row) => row['id']));
    const added = drafts.map(({ row }) => row).filter((row) => !known.has(row['id']));
    const rows = { ...world.rows, [this.collection]: [...kept, ...added] };
    const after = viewsOf({ ...world, rows }, ruleValues);
    const verdicts = drafts.map((draft) => verdictOn(draft, after.real, ruleValues));
    const against = verdicts.filter((verdict) => verdict !== 'permitted');
    return against.length > 0 ? refused(against) : { rows, keys: drafts.map(keyOf) };
  }

  private delete(keys: readonly Cell[]): Outcome {
    if (!keys.every((key) => this.met(key).length > 0)) return refused(['FORBIDDEN']);
    const rows = withoutRows(this.views.world.rows, this.collection, keys);
    return rows ? { rows, keys: [] } : refused(['INVALID_FOREIGN_KEY']);
  }
}

const keyOf = (draft: Draft): Cell => draft.row['id'] ?? null;
