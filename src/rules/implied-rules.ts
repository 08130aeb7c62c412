import { type BuiltInRule, builtInRule, type Rule, type Schema } from '../engine';
import { OWN_FIELDS } from '../users';

/** The subject of a policy with `app_access`: a signed-in user has their own row and role. */
export interface AppAccess {
  readonly policy: string;
  readonly signedIn: boolean;
}

const SELF = { id: { _eq: '$CURRENT_USER' } };

/** What every page shows of the project. */
const ANYBODY: readonly BuiltInRule[] = [
  {
    action: 'read',
    collection: 'service_settings',
    fields: ['project_name', 'project_url', 'default_language'],
  },
];

const EDITABLE = [
  'first_name',
  'last_name',
  'title',
  'description',
  'location',
  'tags',
  'language',
];

const SIGNED_IN: readonly BuiltInRule[] = [
  ...ANYBODY,
  {
    action: 'read',
    collection: 'service_roles',
    permissions: { id: { _eq: '$CURRENT_ROLE' } },
    fields: ['id', 'name', 'icon'],
  },
  { action: 'read', collection: 'service_users', permissions: SELF, fields: OWN_FIELDS },
  { action: 'update', collection: 'service_users', permissions: SELF, fields: EDITABLE },
];

/** The rules that a policy with `app_access` implies. */
export const impliedRules = ({ policy, signedIn }: AppAccess, schema: Schema): Rule[] =>
  (signedIn ? SIGNED_IN : ANYBODY).map((rule) => ({
    ...builtInRule(rule, schema),
    policy,
    implied: true,
  }));
