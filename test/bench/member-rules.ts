export interface RuleSeed {
  readonly collection: string;
  readonly action: string;
  readonly permissions?: object;
  readonly validation?: object;
  readonly presets?: object;
  readonly fields: readonly string[];
}

const ACTIONS = ['create', 'read', 'update', 'delete', 'share', 'comment'];

type Scope = Omit<RuleSeed, 'action'>;

/** A rule for every action on each of these, with variables of the caller, of their role and of the time. */
const EVERY_ACTION: readonly Scope[] = [
  {
    collection: 'service_users',
    permissions: { _or: [{ id: { _eq: '$CURRENT_USER' } }, { role: { _eq: '$CURRENT_ROLE' } }] },
    presets: { status: 'draft', role: '$CURRENT_ROLE' },
    fields: ['id', 'email', 'first_name', 'last_name', 'status', 'role'],
  },
  {
    collection: 'service_users',
    permissions: { role: { name: { _eq: '$CURRENT_USER.role.name' } } },
    validation: { email: { _icontains: '@example.com' } },
    fields: ['id', 'title', 'location', 'language'],
  },
  {
    collection: 'service_roles',
    permissions: { id: { _in: ['$CURRENT_ROLE'] } },
    fields: ['id', 'name', 'icon'],
  },
  {
    collection: 'service_policies',
    permissions: { id: { _in: '$CURRENT_POLICIES' } },
    fields: ['id', 'name', 'description'],
  },
  {
    collection: 'service_access',
    permissions: {
      _and: [
        { user: { _eq: '$CURRENT_USER' } },
        { _or: [{ expires_at: { _null: true } }, { expires_at: { _gt: '$NOW' } }] },
      ],
    },
    fields: ['*'],
  },
  {
    collection: 'service_permissions',
    permissions: { policy: { _in: '$CURRENT_POLICIES' } },
    fields: ['id', 'collection', 'action', 'fields'],
  },
  {
    collection: 'service_permissions',
    permissions: { collection: { _starts_with: 'service_' } },
    fields: ['id', 'policy'],
  },
  {
    collection: 'service_settings',
    fields: ['project_name', 'project_url', 'default_language'],
  },
];

const ONE_ACTION: readonly RuleSeed[] = ['read', 'update'].map((action) => ({
  collection: 'service_users',
  action,
  permissions: { date_created: { _gt: '$NOW(-1 month)' } },
  fields: ['tags', 'description'],
}));

/** Fifty rules of one policy. */
export const MEMBER_RULES: readonly RuleSeed[] = [
  ...EVERY_ACTION.flatMap((scope) => ACTIONS.map((action) => ({ ...scope, action }))),
  ...ONE_ACTION,
];
