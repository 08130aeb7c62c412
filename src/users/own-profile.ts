import { parseRule, type Rule } from '../engine';

type Schema = Parameters<typeof parseRule>[1];

const own = (
  collection: string,
  permissions: object,
  fields: readonly string[],
): Parameters<typeof parseRule>[0] => ({
  ...{ id: 0, policy: '', action: 'read', validation: {}, presets: {} },
  ...{ collection, permissions, fields },
});

const SELF = { _eq: '$CURRENT_USER' };

const RULES = [
  own('service_users', { id: SELF }, ['*']),
  own('service_access', { user: SELF }, ['user', 'policy']),
  own('service_policies', { users: { _some: { id: SELF } } }, ['id']),
];

/** What everybody may see of themselves: their own row, and which policies are attached to it, by id. */
export const ownProfileRules = (schema: Schema): Rule[] =>
  RULES.map((source) => parseRule(source, schema));
