import { parseRule, type Rule } from '../engine';

type Schema = Parameters<typeof parseRule>[1];

const own = (
  action: string,
  collection: string,
  permissions: object,
  fields: readonly string[],
): Parameters<typeof parseRule>[0] => ({
  ...{ id: 0, policy: '', action, validation: {}, presets: {} },
  ...{ collection, permissions, fields },
});

const SELF = { _eq: '$CURRENT_USER' };

/** Their own row, and which policies are attached to it, by id. */
const PROFILE = [
  own('read', 'service_users', { id: SELF }, ['*']),
  own('read', 'service_access', { user: SELF }, ['user', 'policy']),
  own('read', 'service_policies', { users: { _some: { id: SELF } } }, ['id']),
];

/** Enough to say who is to set up two-factor authentication. */
const IDENTITY = [own('read', 'service_users', { id: SELF }, ['id', 'email'])];

const PASSWORD = [own('update', 'service_users', { id: SELF }, ['password'])];

/** What everybody may do with their own user at `/users/me`, whatever their rules say. */
export interface OwnRules {
  readonly profile: readonly Rule[];
  /** All that is shown to whom a policy bars from everything else. */
  readonly identity: readonly Rule[];
  readonly password: readonly Rule[];
}

export function ownRules(schema: Schema): OwnRules {
  const parse = (sources: typeof PROFILE): Rule[] =>
    sources.map((source) => parseRule(source, schema));
  return { profile: parse(PROFILE), identity: parse(IDENTITY), password: parse(PASSWORD) };
}
