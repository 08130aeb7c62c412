import { parseRule, type Rule, type Schema } from '../engine';
import { OWN_FIELDS } from '../users';

/** The subject of a policy with `app_access`: a signed-in user has their own row and role. */
export interface AppAccess {
  readonly policy: string;
  readonly signedIn: boolean;
}

type Grant = readonly [
  action: 'read' | 'update',
  collection: string,
  permissions: object,
  fields: readonly string[],
];

const SELF = { id: { _eq: '$CURRENT_USER' } };

/** What every page shows of the project. */
const ANYBODY: readonly Grant[] = [
  ['read', 'service_settings', {}, ['project_name', 'project_url', 'default_language']],
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

const SIGNED_IN: readonly Grant[] = [
  ...ANYBODY,
  ['read', 'service_roles', { id: { _eq: '$CURRENT_ROLE' } }, ['id', 'name', 'icon']],
  ['read', 'service_users', SELF, OWN_FIELDS],
  ['update', 'service_users', SELF, EDITABLE],
];

/** The rules that a policy with `app_access` implies. */
export const impliedRules = ({ policy, signedIn }: AppAccess, schema: Schema): Rule[] =>
  (signedIn ? SIGNED_IN : ANYBODY).map(([action, collection, permissions, fields]) => {
    const source = { id: 0, policy, action, collection, permissions, fields };
    return { ...parseRule({ ...source, validation: {}, presets: {} }, schema), implied: true };
  });
