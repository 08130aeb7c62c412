/** How much one query may ask for; from the configuration. */
export interface QueryLimits {
  /** Rows of a page where the query does not say. */
  readonly defaultLimit: number;
  /** Rows of a page at the most; what `limit=-1` means. */
  readonly maxLimit: number;
  /** Relations that `fields` may follow one after another. */
  readonly maxDepth: number;
}
