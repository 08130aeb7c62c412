import { DatabaseError } from 'pg';
import { type Decision, isNamed } from '../../access';
import {
  type AppError,
  FailedValidation,
  InvalidForeignKey,
  NotNullViolation,
  RecordNotUnique,
  ValueOutOfRange,
  ValueTooLong,
} from '../../common/errors';
import type { Queries } from '../../database/database';
import type { Collection } from '../registry/collection';
import { quote } from '../registry/column';

/**
 * A write that the database, or the check of a foreign key, refused. It is reported only if the write was otherwise
 * permitted: `judge` runs after the rollback and throws what the rules say.
 */
export class ConstraintFault extends Error {
  constructor(
    readonly error: AppError,
    readonly judge: (queries: Queries) => Promise<void>,
    options?: ErrorOptions,
  ) {
    super(error.message, options);
  }
}

/** @returns what a refusal of the database is called; nothing where it is none of the caller's making */
function constraintError(
  error: unknown,
  collection: Collection,
  decision: Decision,
): AppError | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  const place = placeOf(error, collection, decision);
  switch (error.code) {
    case '23505':
      return new RecordNotUnique(place, { cause: error });
    case '23503':
      return new InvalidForeignKey(place, { cause: error });
    case '23502':
      return new NotNullViolation(place, { cause: error });
    case '22001':
      return new ValueTooLong(place, { cause: error });
    case '22003':
    case '22008':
      return new ValueOutOfRange(place, { cause: error });
    case '23514':
    case '23P01':
      return new FailedValidation({}, { cause: error });
    default:
      return undefined;
  }
}

/** Refuses a row whose foreign keys lead to nothing that the caller sees. */
export function refuseUnseen(
  { collection }: { readonly collection: Collection },
  [field]: readonly string[],
  judge: (queries: Queries) => Promise<void>,
): void {
  if (field === undefined) return;
  throw new ConstraintFault(new InvalidForeignKey({ collection: collection.name, field }), judge);
}

/** Runs a statement; a refusal of the database becomes a fault that is judged after the rollback. */
export async function guarded<T>(
  scope: { readonly collection: Collection; readonly decision: Decision },
  judge: (queries: Queries) => Promise<void>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const refused = constraintError(error, scope.collection, scope.decision);
    throw refused ? new ConstraintFault(refused, judge, { cause: error }) : error;
  }
}

/** The field is named only if the database named one of this very table, and the caller may name it. */
function placeOf(error: DatabaseError, collection: Collection, decision: Decision) {
  const field = fieldOf(error, collection);
  const named = field !== undefined && isNamed(decision, field);
  return { collection: collection.name, ...(named && { field }) };
}

function fieldOf(error: DatabaseError, collection: Collection): string | undefined {
  if (error.table !== undefined && quote(error.table) !== collection.table.split('.').at(-1))
    return undefined;
  if (error.column !== undefined) {
    const column = quote(error.column);
    return [...collection.columns].find(([, { sql }]) => sql === column)?.[0];
  }
  return collection.constraints.get(error.constraint ?? '')?.[0] ?? indexedField(error, collection);
}

/** An index on an expression names its columns only in the refusal: `Key (lower(email::text))=(…) already exists.` */
function indexedField(error: DatabaseError, collection: Collection): string | undefined {
  const expression = /^Key \((.*?)\)=\(/.exec(error.detail ?? '')?.[1] ?? '';
  const words: readonly string[] = expression.match(/\w+/g) ?? [];
  return [...collection.columns].find(([, { sql }]) => words.includes(sql.slice(1, -1)))?.[0];
}
