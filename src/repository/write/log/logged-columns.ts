import type { Key } from '../../write-context';
import { CONCEALED } from '../../compile/compile-cell';
import type { Statement } from '../../compile/statement';
import { presentCell } from '../../registry/decode';
import type { Column } from '../../registry/column';
import { columnOf, type StoredCollection } from '../../registry/stored-collection';
import type { ChangeLog, LoggedChange } from './change-log';
import type { LoggedValue } from './logged-value';

export type LoggedRow = { readonly key: Key } & Readonly<Record<string, unknown>>;

/** The columns a write returns for the log, so that no other statement has to read them. */
export class LoggedColumns {
  private constructor(
    private readonly collection: StoredCollection,
    readonly names: readonly string[],
    /** Characters that are kept of each value; 0: none. */
    readonly length: number,
  ) {}

  /** @param names the columns that are written, or for a delete all columns */
  static of(
    log: ChangeLog,
    collection: StoredCollection,
    names: Iterable<string>,
    rows: number,
  ): LoggedColumns {
    const known = [...names];
    return new LoggedColumns(collection, known, log.lengthFor(2 * rows * known.length));
  }

  /** @param length characters kept of each value, as determined in the database; 0: none */
  static ofLength(
    collection: StoredCollection,
    names: readonly string[],
    length: number,
  ): LoggedColumns {
    return new LoggedColumns(collection, names, length);
  }

  /**
   * For RETURNING of an update. Of the column at index 0: `x0`, whether it changed, and only then `o0` and `n0`, the
   * beginnings of its old and new value.
   */
  changes(statement: Statement, was: string, is: string): string[] {
    if (this.length === 0) return [];
    const maxLength = (): string => statement.bind(this.length + 1, 'int4');
    return this.names.flatMap((name, at) => {
      const { sql } = columnOf(this.collection, name);
      const changed = `${was}.${sql} IS DISTINCT FROM ${is}.${sql}`;
      return [
        `${changed} AS x${at}`,
        `CASE WHEN ${changed} THEN ${this.beginningOf(name, `${was}.${sql}`, maxLength)} END AS o${at}`,
        `CASE WHEN ${changed} THEN ${this.beginningOf(name, `${is}.${sql}`, maxLength)} END AS n${at}`,
      ];
    });
  }

  /** For RETURNING of a delete: the values before, named as by `changes`. */
  values(statement: Statement, was: string): string[] {
    if (this.length === 0) return [];
    const maxLength = (): string => statement.bind(this.length + 1, 'int4');
    return this.names.map((name, at) => {
      const { sql } = columnOf(this.collection, name);
      return `${this.beginningOf(name, `${was}.${sql}`, maxLength)} AS o${at}`;
    });
  }

  /** The same as text, whatever the columns' types; read back by `fromTexts`. */
  texts(was: string, maxLength: string): string[] {
    return this.names.map((name) => {
      const { sql } = columnOf(this.collection, name);
      return `(${this.beginningOf(name, `${was}.${sql}`, () => maxLength)})::text`;
    });
  }

  fromTexts(texts: readonly (string | null)[]): Record<string, unknown> {
    const cells = this.names.map((name, at): [string, unknown] => {
      const text = texts[at] ?? null;
      const { type } = columnOf(this.collection, name);
      return [`o${at}`, text === null || this.isConcealed(name) ? text : fromText(type, text)];
    });
    return Object.fromEntries(cells);
  }

  noteUpdated(log: ChangeLog, row: LoggedRow): void {
    const { collection, names } = this;
    if (this.length === 0) return log.unread('update', collection, row.key, names);
    const changes = names.flatMap((name, at): LoggedChange[] =>
      row[`x${at}`] === true
        ? [[name, this.read(name, row[`o${at}`]), this.read(name, row[`n${at}`])]]
        : [],
    );
    log.updated(collection, row.key, changes);
  }

  noteDeleted(log: ChangeLog, row: LoggedRow): void {
    const { collection, names } = this;
    if (this.length === 0) return log.unread('delete', collection, row.key, names);
    const values = names.map((name, at) => [name, this.read(name, row[`o${at}`])] as const);
    log.deleted(collection, row.key, new Map(values));
  }

  /** @param fields those that lose their value */
  noteReleased(log: ChangeLog, row: LoggedRow, fields: readonly string[]): void {
    const { collection, names } = this;
    if (this.length === 0) return log.unread('update', collection, row.key, fields);
    const changes = fields.map((name): LoggedChange => {
      const was = this.read(name, row[`o${names.indexOf(name)}`]);
      return [name, was, { value: null, cut: false }];
    });
    log.updated(collection, row.key, changes);
  }

  /**
   * The beginning of a cell, as SQL. One character more than is kept shows that there are more.
   * @param maxLength binds that number; not called where it is not used
   */
  private beginningOf(name: string, cell: string, maxLength: () => string): string {
    if (this.isConcealed(name)) return `CASE WHEN ${cell} IS NOT NULL THEN '${CONCEALED}' END`;
    switch (kindOf(columnOf(this.collection, name))) {
      case 'text':
        return `left(${cell}::text, ${maxLength()})`;
      case 'json':
        return `left(to_jsonb(${cell})::text, ${maxLength()})`;
      case 'short':
        return cell;
    }
  }

  private read(name: string, raw: unknown): LoggedValue {
    const column = columnOf(this.collection, name);
    const kind = this.isConcealed(name) ? 'short' : kindOf(column);
    if (raw === null || raw === undefined) return { value: null, cut: false };
    if (kind === 'short') return { value: presentCell(column, raw), cut: false };
    const text = String(raw as string);
    const characters = Array.from(text);
    if (characters.length > this.length) {
      return { value: characters.slice(0, this.length).join(''), cut: true };
    }
    return { value: kind === 'json' ? (JSON.parse(text) as unknown) : text, cut: false };
  }

  isConcealed(name: string): boolean {
    return this.collection.fields.get(name)?.concealed !== false;
  }
}

/** As the driver returns it. */
function fromText(type: Column['type'], text: string): unknown {
  switch (type) {
    case 'integer':
    case 'double':
      return Number(text);
    case 'boolean':
      return text === 'true';
    default:
      return text;
  }
}

/** How a column's value is read: potentially long ones as text. */
export function kindOf({ type }: Column): 'text' | 'json' | 'short' {
  switch (type) {
    case 'text':
    case 'decimal':
      return 'text';
    case 'json':
    case 'array':
      return 'json';
    default:
      return 'short';
  }
}
