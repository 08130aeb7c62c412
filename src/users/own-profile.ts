import { type Caller, parseRule, type Rule } from '../engine';
import type { AdditionalGrants, CollectionRegistry } from '../repository';
import { OWN_FIELDS } from './user.entity';

const own = (
  action: string,
  collection: string,
  permissions: object,
  fields: readonly string[],
): Parameters<typeof parseRule>[0] => ({
  id: 0,
  policy: '',
  action,
  validation: {},
  presets: {},
  collection,
  permissions,
  fields,
});

const SELF = { _eq: '$CURRENT_USER' };

/** The caller's own row; a secret only shows whether it is set. */
const profileOf = (added: readonly string[]): string[] => [
  ...OWN_FIELDS,
  'password',
  'tfa_secret',
  ...added,
];

/** The role's name, and the ids of attached policies. */
const RELATED = [
  own('read', 'service_roles', { id: { _eq: '$CURRENT_ROLE' } }, ['id', 'name']),
  own('read', 'service_access', { user: SELF }, ['user', 'policy']),
  own('read', 'service_policies', { users: { _some: { id: SELF } } }, ['id']),
];

/** Enough to identify the user who must set up two-factor authentication. */
const IDENTITY = ['id', 'email'];

/** What every user may do with their own user at `/users/me`, whatever the rules. */
export class OwnProfile {
  private readonly profile: readonly Rule[];
  private readonly identity: readonly Rule[];
  private readonly related: readonly Rule[];
  private readonly password: readonly Rule[];

  /** @param registry with users, roles and access rows */
  constructor(registry: CollectionRegistry) {
    const read = (sources: readonly Parameters<typeof parseRule>[0][]): Rule[] =>
      sources.map((source) => parseRule(source, registry));
    const fields = profileOf(registry.table('service_users').ownProfile);
    const self = { id: SELF };
    this.profile = read([own('read', 'service_users', self, fields)]);
    this.identity = read([own('read', 'service_users', self, IDENTITY)]);
    this.related = read(RELATED);
    this.password = read([own('update', 'service_users', self, ['password'])]);
  }

  /** A caller whom a policy bars from everything else only sees who they are. */
  shownTo(caller: Caller): AdditionalGrants {
    if (caller.needsTfa) return { item: withRules(caller, this.identity) };
    return {
      item: withRules(caller, this.profile),
      related: () => withRules(caller, this.related),
    };
  }

  /** The caller with the right to change their own password. */
  withPasswordChange(caller: Caller): Caller {
    return withRules(caller, this.password);
  }
}

const withRules = (caller: Caller, rules: readonly Rule[]): Caller =>
  rules.reduce((extended, rule) => extended.withRule(rule), caller);
