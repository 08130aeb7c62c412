import { DatabaseError } from 'pg';
import { isEverything } from '../../../engine';
import type { Tx } from '../../../database/database';
import { alone, quietly } from '../../../database/open-transaction';
import { readsRowAlone } from '../../compile/row-alone';
import type { TableScope } from '../../compile/scope';
import type { Compiled } from '../../compile/statement';
import { MAX_CHARACTERS } from '../../read/answer-budget';
import type { Key } from '../../hooks';
import type { CollectionWrite } from '../collection-write';
import type { Judged } from '../judge/judge';
import { judgedFilters } from '../judge/judged-filters';
import { isNested, type RowsPlan } from '../plan/plan';
import { type RowCondition, conditionOfRow } from './one-statement';
import { ConditionNotMet, type SoleRow } from './sole-row';
import { RowQuestions } from '../judge/stored-row';
import { tableFacts } from './table-facts';

type Cells = Readonly<Record<string, unknown>>;

/** What the statement that stores a row also returns, so that no other statement has to read it. */
export class ReturnedRow {
  private own = 0;
  private judged = 0;

  private constructor(
    private readonly sole: SoleRow,
    private readonly questions: RowQuestions,
    private readonly condition: RowCondition | undefined,
  ) {}

  /**
   * @param recorded whether the statement also writes the log's entry
   * @returns undefined where the row may still change after it is stored, or where more than the row must be read
   */
  static async of(
    scope: CollectionWrite,
    plan: RowsPlan,
    judged: Judged,
    recorded: boolean,
  ): Promise<ReturnedRow | undefined> {
    const { sole } = plan;
    if (!sole || !isLastWrite(scope, plan)) return undefined;
    const filters = judgedFilters(scope.decision);
    if (!filters.every((filter) => readsRowAlone(filter, scope.collection))) return undefined;
    if (!sole.answer && filters.every(isEverything)) return undefined;
    const facts = await tableFacts(scope);
    if (!facts.final) return undefined;
    const condition = recorded ? conditionOfRow(scope, sole, judged, facts) : undefined;
    return new ReturnedRow(sole, new RowQuestions(condition ? [] : filters), condition);
  }

  /**
   * @param row the stored row's scope
   * @param own other columns to return, each under its own name: the key first
   */
  columns(row: TableScope, own: readonly string[]): string[] {
    const judged = this.condition
      ? failingUnless(this.condition(row))
      : this.questions.columns(row);
    this.own = own.length;
    this.judged = own.length + judged.length;
    return [...own, ...judged, ...(this.sole.answer?.columns(row) ?? [])];
  }

  /**
   * Runs the statement.
   * @returns the other columns
   * @throws ConditionNotMet
   */
  async run<Own extends object>(tx: Tx, { text, values }: Compiled): Promise<Own[]> {
    let characters = 0;
    const weigh = (more: number): void => void (characters += more);
    const { names, rows } = this.condition
      ? await translatingUnmet(() => alone(tx).table(text, values, weigh))
      : await quietly(tx).table(text, values, weigh);
    const { sole, own, judged } = this;
    return rows.map((cells) => {
      // Without a key there is no row: it was not stored.
      if (cells[0] !== null) {
        sole.judged = this.judgedBy(names, cells);
        // A committed write can no longer be refused: that the texts fit was a condition of the statement.
        const size = this.condition ? Math.min(characters, MAX_CHARACTERS) : characters;
        sole.answer?.take(names.slice(judged), cells.slice(judged), size);
      }
      return cellsOf(names, cells, 0, own) as Own;
    });
  }

  private judgedBy(names: readonly string[], cells: readonly unknown[]): SoleRow['judged'] {
    const { condition, questions, own, judged } = this;
    if (condition) return 'met';
    const row = cellsOf(names, cells, own, judged);
    return { questions, rows: new Map([[`${cells[0] as Key}`, row]]) };
  }
}

/**
 * A column that divides by zero where the row does not match the condition: a statement has no other way to refuse its
 * row.
 */
const failingUnless = (condition: string): string[] =>
  condition === 'TRUE' ? [] : [`1 / (CASE WHEN ${condition} THEN 1 ELSE 0 END) AS "$met"`];

const DIVISION_BY_ZERO = '22012';

async function translatingUnmet<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== DIVISION_BY_ZERO) throw error;
    throw new ConditionNotMet({ cause: error });
  }
}

/** Whether this one row is the last that the request writes, apart from what hooks write before it. */
export const isLastWrite = (scope: CollectionWrite, { sole, rows }: RowsPlan): boolean =>
  sole !== undefined && rows.length === 1 && !rows.some(isNested) && !runsHooksAfter(scope);

/** These hooks run after the row is stored, and may write to it. */
const runsHooksAfter = ({ hooks, decision }: CollectionWrite): boolean =>
  decision.action === 'create' ? hooks.afterCreate !== undefined : hooks.afterUpdate !== undefined;

const cellsOf = (
  names: readonly string[],
  cells: readonly unknown[],
  from: number,
  to: number,
): Cells => Object.fromEntries(names.slice(from, to).map((name, at) => [name, cells[from + at]]));
