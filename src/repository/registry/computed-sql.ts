import { DatabaseError } from 'pg';
import { RegistrationError } from '../../common/schema';
import { UnprocessableContent } from '../../common/errors';
import type { Queries } from '../../database/database';
import type { CollectionRegistry } from './registry';
import type { StoredCollection } from './stored-collection';

/** The SQL of one computed field. */
interface Expression {
  /** `Order.total` */
  readonly place: string;
  readonly table: string;
  readonly sql: (alias: string) => string;
  readonly isText: boolean;
}

/**
 * Lets the database parse the SQL of all computed fields, on no row: one statement for each collection that has some.
 * @throws RegistrationError that names the first refused field, with the database's reason
 */
export async function refuseFailingSql(
  registry: CollectionRegistry,
  queries: Queries,
): Promise<void> {
  for (const collection of registry.all()) {
    const expressions = expressionsOf(registry.table(collection.name));
    if (expressions.length === 0) continue;
    const refused = await refusalOf(expressions, queries);
    if (refused !== undefined) await refuseFirst(expressions, queries);
  }
}

async function refuseFirst(expressions: readonly Expression[], queries: Queries): Promise<void> {
  for (const expression of expressions) {
    const refused = await refusalOf([expression], queries);
    if (refused === undefined) continue;
    throw new RegistrationError(
      `${expression.place} is computed by SQL that the database refuses (${refused}): correct its sql.`,
    );
  }
}

/**
 * As a condition, as in filters: aggregates and set-returning functions are refused there. Texts are sorted as well: it
 * is refused there to mix collations, which fails in comparisons and groups only once there are rows.
 */
async function refusalOf(
  expressions: readonly Expression[],
  queries: Queries,
): Promise<string | undefined> {
  const conditions = expressions.map(({ sql }) => `${sql('t')} IS NULL`).join(' AND ');
  const texts = expressions.filter(({ isText }) => isText).map(({ sql }) => sql('t'));
  const sorted = texts.length === 0 ? '' : `row_number() OVER (ORDER BY ${texts.join(', ')})`;
  try {
    await queries.query(
      `SELECT ${sorted} FROM ${expressions[0]?.table} t WHERE FALSE AND ${conditions}`,
    );
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseError) return error.message;
    throw error;
  }
}

function expressionsOf({ entity, table, computed }: StoredCollection): Expression[] {
  return [...(computed ?? [])].flatMap(([name, { sql, type }]) =>
    sql ? [{ place: `${entity?.name}.${name}`, table, sql, isText: type === 'text' }] : [],
  );
}

/** Data that an expression cannot process (class 22), a function that raises (P0), a limit of the server. */
const FAILED = /^(22...|P0...|54...)$/;
/** Placeholder for any alias. */
const ALIAS = '\u0001';

type Translate = (error: unknown, text: string) => unknown;

/**
 * Distinguishes a row on which a computed field's SQL fails from a fault of the service, by the statement. The log gets
 * the computed fields and the database's message; the caller gets neither, since they may not know either.
 * @returns undefined where no field is computed by SQL
 */
export function translatingFailedSql(registry: CollectionRegistry): Translate | undefined {
  const known = [...registry.all()]
    .flatMap(({ name }) => expressionsOf(registry.table(name)))
    .map(({ place, sql }) => ({ place, pattern: patternOf(sql(ALIAS)) }));
  if (known.length === 0) return undefined;
  return (error, text) => {
    if (!(error instanceof DatabaseError) || !FAILED.test(error.code ?? '')) return error;
    const places = known.filter(({ pattern }) => pattern.test(text)).map(({ place }) => place);
    if (places.length === 0) return error;
    registry.logFault(`${places.join(' or ')} could not be computed for some row`, error);
    return new UnprocessableContent({ reason: FAILURE }, { cause: error });
  };
}

const FAILURE =
  'a computed field cannot be computed for one of the items: ask for other items, or leave the field out';

const patternOf = (expression: string): RegExp =>
  new RegExp(
    expression
      .split(ALIAS)
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('\\w+'),
  );
