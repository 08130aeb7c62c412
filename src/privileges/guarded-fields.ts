/** What is guarded in a collection: who may change each field. */
export interface GuardedFields {
  /** No one can set these through requests. */
  readonly fixed?: readonly string[];
  /** Only administrators set these; the values are a new row's defaults. */
  readonly administered?: Readonly<Record<string, unknown>>;
  /** Set by a caller who holds every policy of the users it concerns, before and after. */
  readonly granting?: readonly string[];
  /** The same, for another user's row. */
  readonly account?: readonly string[];
  /** A new row's defaults in the other guarded fields. */
  readonly initial?: Readonly<Record<string, unknown>>;
  /** Whether its rows can make somebody an administrator. */
  readonly administering?: true;
}

const RULE = [
  'policy',
  'collection',
  'action',
  'permissions',
  'validation',
  'presets',
  'fields',
  'explain',
];

const BY_COLLECTION: Readonly<Record<string, GuardedFields>> = {
  service_users: {
    administering: true,
    fixed: ['last_access', 'date_created'],
    administered: { provider: 'default', external_identifier: null },
    granting: ['role', 'status'],
    account: ['email', 'password', 'tfa_secret'],
    initial: { role: null, status: 'active', last_access: null },
  },
  service_roles: { administering: true, granting: ['parent'], initial: { parent: null } },
  service_access: { administering: true, granting: ['policy', 'user', 'role', 'expires_at'] },
  service_policies: {
    administering: true,
    administered: { admin_access: false, app_access: false, enforce_tfa: false, ip_access: [] },
  },
  service_permissions: { granting: RULE },
  service_settings: {
    administered: Object.fromEntries(
      [
        'public_registration',
        'public_registration_role',
        'public_registration_verify_email',
        'public_registration_email_filter',
        'auth_login_attempts',
        'auth_password_policy',
      ].map((field) => [field, undefined]),
    ),
  },
};

/** By the name of the collection. */
export const GUARDED_FIELDS: ReadonlyMap<string, GuardedFields> = new Map(
  Object.entries(BY_COLLECTION),
);

/** Whether an administrator's change of its rows may be refused: to a fixed field, or of the last administrator. */
export const bindsAdministrators = ({ fixed, administering }: GuardedFields): boolean =>
  fixed !== undefined || administering === true;
