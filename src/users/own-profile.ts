import { type BuiltInRule, builtInRule, type Caller, type Rule } from '../engine';
import type { AdditionalGrants, CollectionRegistry } from '../repository';
import { OWN_FIELDS } from './user.entity';

const SELF = { _eq: '$CURRENT_USER' };

/** The caller's own row; a secret only shows whether it is set. */
const profileOf = (added: readonly string[]): string[] => [
  ...OWN_FIELDS,
  'password',
  'tfa_secret',
  ...added,
];

const ownUser = (action: 'read' | 'update', fields: readonly string[]): BuiltInRule => ({
  action,
  collection: 'service_users',
  permissions: { id: SELF },
  fields,
});

/** The role's name, and the ids of attached policies. */
const RELATED: readonly BuiltInRule[] = [
  {
    action: 'read',
    collection: 'service_roles',
    permissions: { id: { _eq: '$CURRENT_ROLE' } },
    fields: ['id', 'name'],
  },
  {
    action: 'read',
    collection: 'service_access',
    permissions: { user: SELF },
    fields: ['user', 'policy'],
  },
  {
    action: 'read',
    collection: 'service_policies',
    permissions: { users: { _some: { id: SELF } } },
    fields: ['id'],
  },
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
    const parse = (...rules: readonly BuiltInRule[]): Rule[] =>
      rules.map((rule) => builtInRule(rule, registry));
    const fields = profileOf(registry.table('service_users').ownProfile);
    this.profile = parse(ownUser('read', fields));
    this.identity = parse(ownUser('read', IDENTITY));
    this.related = parse(...RELATED);
    this.password = parse(ownUser('update', ['password']));
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
