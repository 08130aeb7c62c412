import { textLength } from '../../../common/text-length';
import type { LogEntry, LoggedValues } from '../../hooks';
import type { Key, Values } from '../../write-context';
import type { StoredCollection } from '../../registry/stored-collection';
import { type LoggedValue, loggedCell } from './logged-value';

/** How many characters of one value are stored. */
const MAX_VALUE = 10_000;
/** How many characters of all values that one request writes are stored. */
const MAX_ALL = 4_000_000;
/** Where fewer characters would be left for each value, only the field names are stored. */
const MIN_VALUE = 16;
/** The overhead of a value, in addition to its characters. */
const VALUE_OVERHEAD = 8;

/** The part of a log entry that concerns values. */
export type KeptValues = Pick<LogEntry, 'fields' | 'before' | 'after' | 'cut'>;

/** A change of a list: the keys that left it, and those that joined it. */
interface LoggedLinks {
  readonly field: string;
  readonly leaving: readonly Key[];
  readonly joined: readonly Key[];
}

/** A field's values before and after. */
export type LoggedChange = readonly [field: string, before: LoggedValue, after: LoggedValue];

/** What all writers of one transaction share. */
class SharedLog {
  readonly entries: LogEntry[] = [];
  recorded = 0;
  touched = 0;
  readonly unlisted = new Set<StoredCollection>();
  budget = MAX_ALL;
}

/**
 * What a request writes, row by row. Of long values only the beginning is stored, and less where there are many values,
 * so that a change of 2,500 rows or a megabyte makes neither the process nor the log grow by as much.
 */
export class ChangeLog {
  private constructor(
    private readonly shared: SharedLog,
    readonly system: string | null,
  ) {}

  /** @param system the reason, if the service writes on its own initiative */
  static begin(system: string | null = null): ChangeLog {
    return new ChangeLog(new SharedLog(), system);
  }

  /** The same log for another author. */
  by(system: string | null): ChangeLog {
    return new ChangeLog(this.shared, system);
  }

  get entries(): readonly LogEntry[] {
    return this.shared.entries;
  }

  /** The entries that are still to be written. */
  get unrecorded(): readonly LogEntry[] {
    return this.shared.entries.slice(this.shared.recorded);
  }

  /** All entries until now were written by the statements that stored their rows. */
  noteRecorded(): void {
    this.shared.recorded = this.shared.entries.length;
  }

  /** How many rows the database deletes or changes along with the deleted ones. */
  get touched(): number {
    return this.shared.touched;
  }

  touch(): void {
    this.shared.touched += 1;
  }

  /** Collections of which more such rows are affected than the entries list. */
  get unlisted(): Set<StoredCollection> {
    return this.shared.unlisted;
  }

  /** How many characters are kept of each of so many values; 0: none. */
  lengthFor(values: number): number {
    const length = Math.floor(this.shared.budget / Math.max(1, values)) - VALUE_OVERHEAD;
    return length < MIN_VALUE ? 0 : Math.min(length, MAX_VALUE);
  }

  /** How many characters are kept for rows at this level of a cascade: half of the rest at each level. */
  budgetAt(level: number): number {
    return Math.max(0, Math.floor(this.shared.budget / 2 ** (level + 1)));
  }

  /**
   * The stored part of a new row.
   * @param length see `lengthFor`
   */
  keptOfNew(collection: StoredCollection, values: Values, length: number): KeptValues {
    const fields = [...values.keys()];
    if (length === 0) return { fields, before: null, after: null, cut: fields };
    const after: [string, unknown][] = [];
    const cut: string[] = [];
    for (const name of fields) {
      const logged = loggedCell(collection, name, values.get(name) ?? null, length);
      after.push([name, logged.value]);
      if (logged.cut) cut.push(name);
    }
    return { fields, before: null, after: this.keep(after), cut };
  }

  created(collection: StoredCollection, key: Key, kept: KeptValues): void {
    this.add('create', collection, key, kept);
  }

  /** An update that changes no value is not logged. */
  updated(collection: StoredCollection, key: Key, changes: readonly LoggedChange[]): void {
    if (changes.length === 0) return;
    this.add('update', collection, key, {
      fields: changes.map(([name]) => name),
      before: this.keep(changes.map(([name, { value }]) => [name, value])),
      after: this.keep(changes.map(([name, , { value }]) => [name, value])),
      cut: changes.filter(([, was, is]) => was.cut || is.cut).map(([name]) => name),
    });
  }

  deleted(collection: StoredCollection, key: Key, values: ReadonlyMap<string, LoggedValue>): void {
    const before = this.keep([...values].map(([name, { value }]) => [name, value]));
    const cut = [...values].filter(([, each]) => each.cut).map(([name]) => name);
    this.add('delete', collection, key, { fields: [...values.keys()], before, after: null, cut });
  }

  /** Links without a collection of their own: the keys that left the list, and those that joined it. */
  linked(collection: StoredCollection, key: Key, { field, leaving, joined }: LoggedLinks): void {
    if (leaving.length + joined.length === 0) return;
    const kept = this.lengthFor(leaving.length + joined.length) > 0;
    this.add('update', collection, key, {
      fields: [field],
      before: kept ? this.keep([[field, leaving]]) : null,
      after: kept ? this.keep([[field, joined]]) : null,
      cut: kept ? [] : [field],
    });
  }

  /** The values are unknown, since there were too many to read. */
  unread(
    action: 'update' | 'delete',
    collection: StoredCollection,
    key: Key,
    fields: readonly string[],
  ): void {
    this.add(action, collection, key, { fields, before: null, after: null, cut: fields });
  }

  private add(
    action: LogEntry['action'],
    { name }: StoredCollection,
    key: Key,
    kept: KeptValues,
  ): void {
    this.shared.entries.push({ action, collection: name, key, system: this.system, ...kept });
  }

  private keep(values: readonly (readonly [string, unknown])[]): LoggedValues {
    for (const [, value] of values) this.shared.budget -= VALUE_OVERHEAD + textLength(value);
    return Object.fromEntries(values);
  }
}

/** `lengthFor` in SQL. */
export const lengthOfEach = (budget: string, values: string): string => {
  const length = `${budget} / greatest(1, ${values}) - ${VALUE_OVERHEAD}`;
  return `(CASE WHEN ${length} < ${MIN_VALUE} THEN 0 ELSE least(${length}, ${MAX_VALUE}) END)::int4`;
};
