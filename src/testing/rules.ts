/** A rule as a cast tells it: its policy is the one that it stands under. */
export interface RuleSeed {
  readonly collection: string;
  readonly action: string;
  readonly fields: readonly string[];
  readonly permissions: object;
  readonly validation?: object;
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

/** `read('service_users', ['email'], { status: { _eq: 'active' } })`: which fields, of which rows. */
export const read = rule('read');
export const create = rule('create');
export const update = rule('update');
export const share = rule('share');
export const comment = rule('comment');
export const remove = (collection: string, permissions: object = {}): RuleSeed =>
  rule('delete')(collection, [], permissions);

/** The rows that are the caller's own user. */
export const OWN = { id: { _eq: '$CURRENT_USER' } } as const;
