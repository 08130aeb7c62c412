import type { Caller } from '../../../engine';
import { type AppError, withoutDetails } from '../../../common/errors';
import { type Acting, causeAsSystem } from '../../system-errors';
import { mapRefusal } from './map-refusal';
import { mayName } from './may-name';

/**
 * Hides error details of a system write from the caller whose request led to it: they get the code, and more only where
 * they may read what it names. The log gets the rest.
 * @param collection that is written
 */
export async function withRedactedErrors<T>(
  { caller, requester }: Acting,
  collection: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!requester || requester.administrator) throw error;
    throw mapRefusal(error, (shown) => redactNames(shown, requester, collection, caller.system));
  }
}

interface Names {
  readonly collection?: string;
  readonly field?: string;
  readonly fields?: readonly string[];
}

/**
 * @param written the collection that the system wrote, where the error names none
 * @param reason why it did
 * @returns the error itself where `caller` may read all that it names
 */
export function redactNames(
  error: AppError,
  caller: Caller,
  written: string,
  reason: string | undefined,
): AppError {
  const { collection = written, field, fields = [] }: Names = error.details;
  const named = field === undefined ? fields : [field, ...fields];
  if (mayName(collection, named, caller)) return error;
  return withoutDetails(error, causeAsSystem(reason, error));
}
