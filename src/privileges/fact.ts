import type { Key } from '../repository';

/** What a row is and, of whom it speaks, what these have: read before a request writes it, and again before the commit. */
export interface Fact {
  readonly id: Key;
  /** The fields that are guarded, as they are stored. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Somebody whom it concerns has a policy that the caller does not hold; of a rule: it is not held in full. */
  readonly exceeds: boolean;
  /** It is, or makes, an administrator. */
  readonly administers: boolean;
  /** What demands a second factor through it: gone from here, it demands it no more. */
  readonly enforcing: readonly string[];
}

/** A row as it was and as it is: without `before` it is new, without `after` it is gone. */
export interface Alteration {
  readonly before: Fact | undefined;
  readonly after: Fact | undefined;
}
