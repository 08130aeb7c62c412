import type { Key } from '../repository';

/**
 * The state of a row and the rights of the users it concerns: read before a request writes it, and again before the
 * commit.
 */
export interface GuardedRow {
  readonly id: Key;
  /** The guarded fields, as stored. */
  readonly state: Readonly<Record<string, unknown>>;
  /** A user whom it concerns has a policy that the caller does not hold; for a rule: it is not held in full. */
  readonly exceeds: boolean;
  /** It is an administrator, or makes somebody one. */
  readonly administers: boolean;
  /** The policies that require a second factor because of this row: one that it loses requires none any more. */
  readonly enforcing: readonly string[];
}

/** A row before and after: without `before` it is new, without `after` it is deleted. */
export interface GuardedChange {
  readonly before: GuardedRow | undefined;
  readonly after: GuardedRow | undefined;
}
