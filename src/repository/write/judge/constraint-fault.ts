import { DatabaseError } from 'pg';
import type { Caller, Decision } from '../../../engine';
import type { AppError, SeveralErrors } from '../../../common/errors';
import type { Queries } from '../../../database/database';
import type { CollectionRegistry } from '../../registry/registry';
import type { StoredCollection } from '../../registry/stored-collection';

/** Throws what the rules say about the write; its queries run after the rollback. */
export type Judge = (queries: Queries) => Promise<void>;
/** For writes that were judged before, or that need no judging. */
export const NOTHING_TO_JUDGE: Judge = () => Promise.resolve();
/** The error that the caller gets. */
export type Refusal = AppError | SeveralErrors;

/**
 * The collection that was written, and the decision that allowed it: they determine which fields a refusal may name.
 */
export interface RefusedWrite {
  readonly collection: StoredCollection;
  readonly decision: Decision;
  /** Who wrote, and where: rows of other collections may refer to the written ones. */
  readonly caller?: Pick<Caller, 'readable'>;
  readonly registry?: CollectionRegistry;
}

/**
 * A write that the database, or the check of a foreign key, refused. It is reported only if the write was otherwise
 * permitted: `judge` runs after the rollback and throws what the rules say. `findRefusal` is called then too, since a
 * failed transaction accepts no more queries.
 */
export class ConstraintFault extends Error {
  constructor(
    readonly findRefusal: (queries: Queries) => Promise<Refusal>,
    readonly judge: Judge,
    options?: ErrorOptions,
  ) {
    super('The database refused a write', options);
  }
}

/** @returns the error for the caller; `queries` must be outside the transaction that failed */
export async function callerFacingError(
  fault: ConstraintFault,
  queries: Queries,
): Promise<Refusal> {
  await fault.judge(queries);
  return fault.findRefusal(queries);
}

/** Data and constraints (classes 22 and 23), a trigger that raises (P0), a generated column, a limit of the index. */
const REFUSED = /^(22...|23...|P0...|428C9|44000|54000)$/;

/** A row that breaks a row security policy of the table has the code of a missing privilege, which is an operator's fault. */
const BREAKS_POLICY = { code: '42501', routine: 'ExecWithCheckOptions' };

/** A trigger may raise with any code. Those of class 40 ask to run the transaction again. */
const RAISES = 'exec_stmt_raise';

export const isDatabaseRefusal = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && isRefusal(error);

function isRefusal({ code = '', routine }: DatabaseError): boolean {
  if (routine === RAISES) return !code.startsWith('40');
  if (routine === BREAKS_POLICY.routine && code === BREAKS_POLICY.code) return true;
  return REFUSED.test(code);
}

/** Whether another row has the same values in a unique index. */
export const isTaken = (error: unknown): boolean =>
  error instanceof ConstraintFault &&
  error.cause instanceof DatabaseError &&
  error.cause.code === '23505';
