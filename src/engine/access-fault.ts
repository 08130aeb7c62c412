/**
 * What is wrong with a filter, a query or a rule. `hidden`: it names a collection or field that does not exist or may
 * not be named; the two are never distinguished. `malformed`: the form, an operator or an operand is wrong.
 */
export class AccessFault extends Error {
  override readonly name = 'AccessFault';

  constructor(
    readonly kind: 'hidden' | 'malformed',
    /** The position, for the author of the filter or rule: `status._eq`. */
    readonly path: readonly string[],
    readonly reason: string,
    /** For `hidden`: the collection or field that was named. */
    readonly subject?: { readonly collection: string; readonly field?: string },
  ) {
    super(`${path.join('.')}: ${reason}`);
  }
}

/** A fault of form: `malformed(['limit'], 'must be a whole number')`. */
export const malformed = (path: readonly string[], reason: string): AccessFault =>
  new AccessFault('malformed', path, reason);

/** The fault for a name that does not exist or may not be named: both get the same message. */
export const hidden = (path: readonly string[], collection: string, field?: string): AccessFault =>
  new AccessFault('hidden', path, 'does not exist or may not be named', {
    collection,
    ...(field === undefined ? {} : { field }),
  });
