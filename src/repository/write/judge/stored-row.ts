import {
  type BoundFilter,
  type BoundLeaf,
  type Cell,
  evaluateLeaf,
  isStored,
  MAX_STEPS,
  type RowView,
  searchesText,
  textOf,
  type Through,
  type Value,
} from '../../../engine';
import { InvalidPayload } from '../../../common/errors';
import { inTurns } from '../../../common/next-turn';
import { compileFilter } from '../../compile/compile-filter';
import { countOf } from '../../compile/list-source';
import { withoutPullUp, cellIn, type TableScope } from '../../compile/scope';
import type { StoredCollection } from '../../registry/stored-collection';
import { decodeCell } from '../../registry/decode';

/** A column of the statement. */
interface QuestionColumn {
  /** Named by position: PostgreSQL cuts names after 63 bytes. */
  readonly as: string;
  readonly sql: (scope: TableScope) => string;
}

/** Related rows that count as missing, for a row that is not written yet. */
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
/** How many characters of texts are searched between two turns of the event loop, counted for each leaf. */
const AT_A_TIME = 100_000;
/** How many conditions are evaluated for all rows of one write: a few seconds, in turns with other requests. */
const MAX_CONDITIONS = 10_000_000;
const NONE_ABSENT: Absent = { targets: [], lists: false };

/**
 * What a rule's filters need to know about rows, as columns of one statement: the cells that they read, and for each
 * clause about related rows whether it holds. The filters are then evaluated in memory, where `_regex` and payload
 * values are available.
 */
export class RowQuestions {
  private readonly clauses: Through<Value>[] = [];
  /** Cells, and sizes of lists, by their fields. */
  private readonly columnsByField = new Map<string, QuestionColumn>();
  /** Leaves that search a text, by its field; patterns have a bound of their own. */
  private readonly searches = new Map<string, BoundLeaf[]>();
  private conditions = 0;

  constructor(
    filters: readonly BoundFilter[],
    private readonly absent: Absent = NONE_ABSENT,
  ) {
    for (const filter of filters) this.collect(filter);
  }

  /** The select list for a row of the scope. */
  columns(scope: TableScope): string[] {
    const cells = [...this.columnsByField.values()].map(({ as, sql }) => `${sql(scope)} AS ${as}`);
    const clauses = this.clauses.map(
      (clause, index) => `(${compileFilter(clause, withoutPullUp(scope))}) IS TRUE AS w${index}`,
    );
    return [...cells, ...clauses];
  }

  /**
   * The answers as a row.
   * @param values those that are written to the row; a concealed field is judged on them alone
   */
  view(
    collection: StoredCollection,
    raw: Readonly<Record<string, unknown>>,
    values: ReadonlyMap<string, Cell>,
  ): RowView {
    let steps = MAX_STEPS;
    return {
      cell: (name) => {
        this.conditions += 1;
        const field = collection.fields.get(name);
        if (field?.concealed) return values.get(name) ?? null;
        const column = field && isStored(field) ? field : TEXT;
        return decodeCell(column, this.answer(name, raw));
      },
      count: (name) => (this.absent.lists ? 0 : Number(this.answer(name, raw))),
      related: (clause) =>
        this.isAbsent(clause)
          ? clause.kind === 'to-many' && clause.quantifier === 'none'
          : raw[`w${this.clauses.indexOf(clause)}`] === true,
      affords: (more) => (steps -= more) >= 0,
      known: new Map(),
    };
  }

  /** @throws InvalidPayload where the rows judged so far have taken too many conditions */
  refuseTooMany(): void {
    if (this.conditions <= MAX_CONDITIONS) return;
    const reason = `the rules evaluate more than ${MAX_CONDITIONS} conditions on these items: write fewer at once`;
    throw new InvalidPayload({ reason });
  }

  /**
   * Searches the long texts of a row beforehand, with turns for other requests, so that judging the row takes little
   * time.
   * @returns nothing where there are none
   */
  searchLongTexts(row: RowView): void | Promise<void> {
    return this.searches.size === 0 ? undefined : this.searchAll(row);
  }

  private async searchAll(row: RowView): Promise<void> {
    for (const [name, leaves] of this.searches) {
      const cell = row.cell(name);
      if (cell === null || textOf(cell).length * leaves.length <= AT_A_TIME) continue;
      await inTurns(leaves, leaves.length, (leaf) => void evaluateLeaf(leaf, row));
    }
  }

  /** @throws an Error for a cell that was not requested: a rule is never judged without its value */
  private answer(name: string, raw: Readonly<Record<string, unknown>>): unknown {
    const answer = raw[this.columnsByField.get(name)?.as ?? ''];
    if (answer === undefined) throw new Error(`Nothing was asked about ${name}`);
    return answer;
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
    if (searchesText(leaf) && leaf.test !== 'regex') {
      const leaves = this.searches.get(field.name);
      // Copied for each leaf, the lists of a hundred large rules would take seconds.
      if (leaves) leaves.push(leaf);
      else this.searches.set(field.name, [leaf]);
    }
    if (field.kind === 'to-many') {
      if (!this.absent.lists) this.addColumn(field.name, (scope) => countOf(field, scope));
      return;
    }
    // A concealed field is judged on the written values alone.
    if (!field.concealed) this.addColumn(field.name, (scope) => cellIn(scope, field.name));
  }

  private addColumn(name: string, sql: QuestionColumn['sql']): void {
    if (!this.columnsByField.has(name))
      this.columnsByField.set(name, { as: `c${this.columnsByField.size}`, sql });
  }

  private isAbsent({ kind, field }: Through<Value>): boolean {
    return kind === 'to-one' ? this.absent.targets.includes(field.name) : this.absent.lists;
  }
}
