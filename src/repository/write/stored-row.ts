import {
  type BoundFilter,
  type BoundLeaf,
  type Cell,
  isStored,
  type RowView,
  type Through,
  type Value,
} from '../../engine';
import { compileFilter } from '../compile/compile-filter';
import { countOf } from '../compile/list-source';
import { apart, cellIn, type TableScope } from '../compile/scope';
import type { StoredCollection } from '../registry/stored-collection';
import { quote } from '../registry/column';
import { decodeCell } from '../registry/decode';

/** Related rows that are missing whatever is stored: for a row that is not written yet. */
export interface Absent {
  /** Foreign keys without a row. */
  readonly targets: readonly string[];
  /** Nothing refers to the row: it is new. */
  readonly lists: boolean;
}

/** The questions about rows, and the answers, by the rows' keys as texts. */
export interface Answers {
  readonly questions: RowQuestions;
  readonly rows: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

const TEXT = { type: 'text' } as const;
const NONE_ABSENT: Absent = { targets: [], lists: false };

/**
 * What a rule's filters need to know about rows, as columns of one statement: the cells that they read, and for each
 * clause about related rows whether it holds. The filters are then evaluated in memory, where `_regex` and payload
 * values are available.
 */
export class RowQuestions {
  private readonly clauses: Through<Value>[] = [];
  private readonly stored = new Set<string>();
  private readonly computed = new Set<string>();
  private readonly counts = new Map<string, BoundLeaf>();

  constructor(
    filters: readonly BoundFilter[],
    private readonly absent: Absent = NONE_ABSENT,
  ) {
    for (const filter of filters) this.collect(filter);
  }

  /** The select list for a row of the scope. */
  columns(scope: TableScope): string[] {
    const cells = [...this.stored].map((name) => cellIn(scope, name));
    const computed = [...this.computed].map(
      (name) => `${cellIn(scope, name)} AS ${quote(`$computed ${name}`)}`,
    );
    const clauses = this.clauses.map(
      (clause, index) =>
        `(${compileFilter(clause, apart(scope))}) IS TRUE AS ${quote(`$clause ${index}`)}`,
    );
    const counts = [...this.counts].flatMap(([name, { expression }]) =>
      expression.field.kind === 'to-many'
        ? [`${countOf(expression.field, scope)} AS ${quote(`$count ${name}`)}`]
        : [],
    );
    return [...cells, ...computed, ...clauses, ...counts];
  }

  /**
   * The answers as a row.
   * @param sent the payload's values, the only ones that a concealed field ever shows
   */
  view(
    collection: StoredCollection,
    raw: Readonly<Record<string, unknown>>,
    sent: ReadonlyMap<string, Cell>,
  ): RowView {
    return {
      cell: (name) => {
        const field = collection.fields.get(name);
        if (field?.concealed) return sent.get(name) ?? null;
        const column = field && isStored(field) ? field : TEXT;
        const shown = this.computed.has(name) ? `$computed ${name}` : columnName(collection, name);
        return decodeCell(column, raw[shown]);
      },
      count: (name) => (this.absent.lists ? 0 : Number(raw[`$count ${name}`])),
      related: (clause) =>
        this.isAbsent(clause)
          ? clause.kind === 'to-many' && clause.quantifier === 'none'
          : raw[`$clause ${this.clauses.indexOf(clause)}`] === true,
    };
  }

  private collect(filter: BoundFilter): void {
    switch (filter.kind) {
      case 'and':
      case 'or':
        for (const member of filter.of) this.collect(member);
        return;
      case 'to-one':
      case 'to-many':
        if (!this.isAbsent(filter)) this.clauses.push(filter);
        return;
      case 'leaf':
        this.collectLeaf(filter);
    }
  }

  private collectLeaf(leaf: BoundLeaf): void {
    const { field } = leaf.expression;
    if (field.kind === 'to-many' && !this.absent.lists) this.counts.set(field.name, leaf);
    if (field.kind === 'column' && field.computed) this.computed.add(field.name);
    // A concealed field only ever shows the sent value.
    else if (isStored(field) && !field.concealed) this.stored.add(field.name);
  }

  private isAbsent({ kind, field }: Through<Value>): boolean {
    return kind === 'to-one' ? this.absent.targets.includes(field.name) : this.absent.lists;
  }
}

const columnName = (collection: StoredCollection, field: string): string => {
  const sql = collection.columns.get(field)?.sql ?? '';
  return sql.slice(1, -1).replaceAll('""', '"');
};
