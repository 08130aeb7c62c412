import type { BoundQuery, SelectedRelation } from '../query/query';
import type { BoundFilter } from '../../engine';
import { widthOf } from '../query/width-of';
import { quote } from '../../database/quote';
import { compileOutput, linkName } from './compile-output';
import { conditions } from './compile-conditions';
import { fromOf, innerScope, keyIn, rowsIn, type TableScope, type TableView } from './scope';
import { and } from './statement';
import { viewOf } from './views';

/** Further relations have a statement each: PostgreSQL's planner compares all orders of the joins. */
const MAX_JOINS = 6;
/** Cells: a join repeats a row for each row that refers to it, while a statement of its own sends it once. */
const MAX_CELLS = 50_000;
/**
 * Characters of the joining statement. With longer rules, planning the join takes longer than a separate statement, and
 * the joined text could exceed the limit that several statements each keep.
 */
const MAX_TEXT = 8_000;

const MARK = '$row ';

/** The first column of a joined relation's rows: their key. */
export const joinedName = (path: string): string => MARK + path;
export const isJoinedName = (name: string): boolean => name.startsWith(MARK);

/** The relation's path below that of the rows it is opened on: `0.1` is the second relation below the first. */
export const pathBelow = (path: string, index: number): string =>
  path === '' ? String(index) : `${path}.${index}`;

/** The joins of to-one relations to the rows that refer to them. */
export interface Joins {
  /** Each entry stands for all columns of one relation's rows. */
  readonly columns: readonly string[];
  readonly from: string;
}

interface Joining {
  readonly scope: TableScope;
  /** The view of the querying reader, where a relation names no other. */
  readonly view: TableView;
  /** The alias of the rows that refer to others. */
  readonly holder: string;
  /** The largest possible number of these rows. */
  readonly rows: number;
  /** The length, in characters, of the statement that reads them. */
  readonly length: number;
}

/**
 * To-one relations that are opened, and those below them, as far as it is cheaper than reading them next:
 * ```sql
 * SELECT page.*, t1.* FROM (… the page …) page
 * LEFT JOIN LATERAL (SELECT t2."id" AS "$row 0", t2."name" AS f0 FROM "categories" t2
 *   WHERE t2."id" = page.l0 AND … what the reader sees …) t1 ON TRUE
 * ```
 */
export function joinTargets(query: BoundQuery, joining: Joining): Joins {
  const text = MAX_TEXT - joining.length;
  const joins = { columns: new Array<string>(), from: '', cells: MAX_CELLS, text };
  addTargets(query, joining, '', joins);
  return joins;
}

interface OpenJoins {
  readonly columns: string[];
  from: string;
  /** How many more cells may be read. */
  cells: number;
  /** How many more characters may be added. */
  text: number;
}

function addTargets(query: BoundQuery, joining: Joining, path: string, joins: OpenJoins): void {
  for (const [index, relation] of query.relations.entries()) {
    if (relation.field.kind !== 'to-one') continue;
    const cells = joining.rows * widthOf(relation.query);
    if (joins.columns.length === MAX_JOINS || cells > joins.cells || joins.text <= 0) continue;
    const below = pathBelow(path, index);
    const rows = compileTarget(relation, `${joining.holder}.${linkName(index)}`, joining, below);
    if (rows.length > joins.text) continue;
    const alias = joining.scope.statement.alias();
    joins.cells -= cells;
    joins.text -= rows.length;
    joins.columns.push(`${alias}.*`);
    joins.from += ` LEFT JOIN LATERAL (${rows}) ${alias} ON TRUE`;
    addTargets(relation.query, { ...joining, holder: alias }, below, joins);
  }
}

function compileTarget(
  { query }: SelectedRelation<BoundFilter>,
  link: string,
  { scope, view }: Joining,
  path: string,
): string {
  const target = view.registry.table(query.collection);
  const inner: TableScope = {
    ...innerScope(scope, target, scope.position.select),
    view: viewOf(query, view),
    deleted: query.deleted ?? null,
  };
  const output = [`${keyIn(inner)} AS ${quote(joinedName(path))}`, ...compileOutput(query, inner)];
  const where = and(`${keyIn(inner)} = ${link}`, rowsIn(inner), conditions(query, inner));
  return `SELECT ${output.join(', ')} FROM ${fromOf(inner)} WHERE ${where}`;
}
