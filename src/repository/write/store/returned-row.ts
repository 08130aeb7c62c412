import { DatabaseError } from 'pg';
import { type Decision, isEverything } from '../../../engine';
import type { Tx } from '../../../database/database';
import { alone, quietly } from '../../../database/open-transaction';
import { readsRowAlone } from '../../compile/row-alone';
import type { TableScope } from '../../compile/scope';
import { MAX_CHARACTERS } from '../../read/answer-budget';
import { cacheKeyText, numberDecision, numberOf } from '../../read/plain-queries';
import type { Key } from '../../write-context';
import type { CollectionWrite } from '../collection-write';
import type { Judged } from '../judge/judged';
import { judgedFilters } from '../judge/judged-filters';
import { isNested, type RowsPlan } from '../plan/plan';
import { type RowCondition, conditionOfRow } from './one-statement';
import { ConditionNotMet, type SoleRow } from './sole-row';
import { RowQuestions } from '../judge/stored-row';
import type { StoringStatement } from './storing-statement';
import { tableFacts } from './table-facts';

type Cells = Readonly<Record<string, unknown>>;

/** What a statement returns of the row that it stores, and how many of these columns are for what. */
export interface ShownRow extends Pick<StoringStatement, 'own' | 'judged'> {
  readonly columns: readonly string[];
}

/** What the statement that stores a row also returns, so that no other statement has to read it. */
export class ReturnedRow {
  private constructor(
    private readonly sole: SoleRow,
    private readonly questions: RowQuestions,
    private readonly condition: RowCondition | undefined,
    private readonly decision: Decision,
    /** See `keyOf`. */
    private readonly cacheKey: string | undefined,
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
    const questions = new RowQuestions(condition ? [] : filters);
    const key = keyOf(scope, sole, judged, condition !== undefined);
    return new ReturnedRow(sole, questions, condition, scope.decision, key);
  }

  /**
   * Names the statement for the cache.
   * @param how determines it together with the names of the fields that it sets
   */
  nameOf(how: string, names: readonly string[]): string | undefined {
    const { cacheKey } = this;
    // Names chosen by clients come last: none can be mistaken for another part.
    return cacheKey === undefined ? undefined : `${how} ${JSON.stringify(names)} ${cacheKey}`;
  }

  /**
   * @param row the stored row's scope
   * @param own other columns to return, each under its own name: the key first
   */
  columns(row: TableScope, own: readonly string[]): ShownRow {
    const judged = this.condition
      ? failingUnless(this.condition(row))
      : this.questions.columns(row);
    return {
      columns: [...own, ...judged, ...(this.sole.answer?.columns(row) ?? [])],
      own: own.length,
      judged: own.length + judged.length,
    };
  }

  /**
   * Runs the statement.
   * @returns the other columns
   * @throws ConditionNotMet
   */
  async run<Own extends object>(
    tx: Tx,
    { text, values, own, judged }: StoringStatement,
  ): Promise<Own[]> {
    let characters = 0;
    const weigh = (more: number): void => void (characters += more);
    const { names, rows } = this.condition
      ? await translatingUnmet(() => alone(tx).table(text, values, weigh))
      : await quietly(tx).table(text, values, weigh);
    const { sole, decision } = this;
    // Now, so that what this request alone decides is not cached if it runs again.
    numberDecision(decision);
    if (sole.answer) numberDecision(sole.answer.cacheKey.decision);
    return rows.map((cells) => {
      // Without a key there is no row: it was not stored.
      if (cells[0] !== null) {
        sole.judged = this.judgedBy(names, cells, own, judged);
        // A committed write can no longer be refused: that the texts fit was a condition of the statement.
        const size = this.condition ? Math.min(characters, MAX_CHARACTERS) : characters;
        sole.answer?.take(names.slice(judged), cells.slice(judged), size);
      }
      return cellsOf(names, cells, 0, own) as Own;
    });
  }

  private judgedBy(
    names: readonly string[],
    cells: readonly unknown[],
    from: number,
    to: number,
  ): SoleRow['judged'] {
    const { condition, questions } = this;
    if (condition) return 'met';
    const row = cellsOf(names, cells, from, to);
    return { questions, rows: new Map([[`${cells[0] as Key}`, row]]) };
  }
}

/**
 * Of requests with the same key, a statement that sets the same columns returns the same and judges by the same
 * condition: everything else follows from the table.
 * @returns undefined for a row that met other cases than all of the decision's, or a decision used for the first time
 */
function keyOf(
  { decision }: CollectionWrite,
  { answer }: SoleRow,
  { matching = decision.cases }: Judged,
  isJudged: boolean,
): string | undefined {
  const own = numberOf(decision);
  const shown = answer ? cacheKeyText(answer.cacheKey) : 'nothing';
  if (own === undefined || shown === undefined || matching !== decision.cases) return undefined;
  return `${own} ${isJudged} ${shown}`;
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
