/** One permission rule, under its policy in `SeedData`: the body of `POST /permissions` without `policy`. */
export interface RuleSeed {
  readonly collection: string;
  readonly action: string;
  /** The fields that it grants; `['*']`: all. */
  readonly fields: readonly string[];
  /** A filter: which rows. `{}`: all. */
  readonly permissions: object;
  /** A filter that what is written must match. */
  readonly validation?: object;
  /** Values by field, for fields that a write leaves out. */
  readonly presets?: object;
}

type More = Pick<RuleSeed, 'validation' | 'presets'>;

const rule =
  (action: string) =>
  (
    collection: string,
    fields: readonly string[] = [],
    permissions: object = {},
    more: More = {},
  ): RuleSeed => ({ collection, action, fields, permissions, ...more });

/**
 * A rule that grants reading: of which collection, which fields (`['*']`: all), of which rows (`{}`: all).
 *
 *     read('service_users', ['email'], { status: { _eq: 'active' } })
 */
export const read = rule('read');
/**
 * A rule that grants creating rows with these fields. The filter says what a new row must match; `validation` and
 * `presets` come last.
 *
 *     create('invoices', ['number'], {}, { presets: { owner: '$CURRENT_USER' } })
 */
export const create = rule('create');
/**
 * A rule that grants changing these fields of the rows that match the filter; `validation` and `presets` come last.
 *
 *     update('invoices', ['number'], { status: { _eq: 'draft' } }, { validation: { number: { _nempty: true } } })
 */
export const update = rule('update');
/**
 * A rule that grants the action `share`. No route of the service asks for it; yours may:
 * `@RequirePermission('share', …)`.
 */
export const share = rule('share');
/**
 * A rule that grants writing comments on the rows that match the filter.
 *
 *     comment('invoices', [], { owner: { _eq: '$CURRENT_USER' } })
 */
export const comment = rule('comment');
/**
 * A rule that grants deleting the rows that match the filter (`{}`: all).
 *
 *     remove('invoices', { status: { _eq: 'draft' } })
 */
export const remove = (collection: string, permissions: object = {}): RuleSeed =>
  rule('delete')(collection, [], permissions);

/** A filter of `service_users`: the caller's own user. */
export const OWN_USER = { id: { _eq: '$CURRENT_USER' } } as const;
