/** What is guarded of a collection: by whom each field may be set to something else than it is. */
export interface GuardedFields {
  /** Nobody sets them here. */
  readonly fixed?: readonly string[];
  /** Administrators set them; with what a new row has otherwise. */
  readonly administered?: Readonly<Record<string, unknown>>;
  /** Whoever holds every policy of those it concerns, before and after, sets them. */
  readonly granting?: readonly string[];
  /** The same, where it is another's. */
  readonly account?: readonly string[];
  /** What a new row has in other fields of these. */
  readonly initial?: Readonly<Record<string, unknown>>;
}

const RULE = [
  ...['policy', 'collection', 'action', 'permissions', 'validation', 'presets', 'fields'],
  'explain',
];

export const GUARDED_FIELDS: Readonly<Record<string, GuardedFields>> = {
  service_users: {
    fixed: ['last_access', 'date_created'],
    administered: { provider: 'default', external_identifier: null },
    granting: ['role', 'status'],
    account: ['email', 'password', 'tfa_secret'],
    initial: { role: null, status: 'active', last_access: null },
  },
  service_roles: { granting: ['parent'], initial: { parent: null } },
  service_access: { granting: ['policy', 'user', 'role', 'expires_at'] },
  service_policies: {
    administered: { admin_access: false, app_access: false, enforce_tfa: false, ip_access: [] },
  },
  service_permissions: { granting: RULE },
  service_settings: {
    administered: Object.fromEntries(
      [
        ...['public_registration', 'public_registration_role', 'public_registration_verify_email'],
        ...['public_registration_email_filter', 'auth_login_attempts', 'auth_password_policy'],
      ].map((field) => [field, undefined]),
    ),
  },
};
