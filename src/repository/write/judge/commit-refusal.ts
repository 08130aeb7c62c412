import type { DatabaseError } from 'pg';
import type { Caller } from '../../../engine';
import type { AppError } from '../../../common/errors';
import type { Queries } from '../../../database/database';
import type { Change } from '../../hooks';
import type { CollectionRegistry } from '../../registry/registry';
import { systemCaller } from '../../system-caller';
import { isOf } from './constrained-fields';
import { constraintError } from './constraint-error';
import { redactNames } from './redact-names';

interface Committed {
  readonly changes: readonly Change[];
  readonly caller: Caller;
  readonly registry: CollectionRegistry;
  /** Outside the transaction that failed. */
  readonly database: Queries;
}

/**
 * The error for a constraint that the database checked at the commit. It is unknown which write to the table broke it,
 * so it is reported for the caller's own write, or for the system's where the caller made none.
 */
export async function refusalAtCommit(
  error: DatabaseError,
  { changes, caller, registry, database }: Committed,
): Promise<AppError> {
  const written = changes.flatMap((change) => {
    const collection = registry.get(change.collection);
    return collection && isOf(error, collection) ? [{ ...change, collection }] : [];
  });
  const first = written.find(({ system }) => system === null) ?? written[0];
  if (!first) return constraintError(error, undefined, database);
  const { collection, action, system } = first;
  const writer = system === null ? caller : systemCaller(registry, system);
  const decision = writer.decide(action, collection.name);
  const refusal = await constraintError(error, decision && { collection, decision }, database);
  if (system === null || caller.administrator) return refusal;
  return redactNames(refusal, caller, collection.name, system);
}
