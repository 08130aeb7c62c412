import type { ValueProvider } from '@nestjs/common';
import { provideValue } from '../../common/provided-values';
import type { Action } from '../../engine';

/** A permission rule under its policy, as in a file of rules: the body of `POST /permissions` without `policy`. */
export interface ManagedRule {
  readonly collection: string;
  readonly action: Action;
  /** The fields that it grants: `['*']` for all; none if it is left out. */
  readonly fields?: readonly string[];
  /** A filter: which rows. If it is left out: all. */
  readonly permissions?: object;
  /** A filter that what is written must match. */
  readonly validation?: object;
  /** Values by field, for fields that a write leaves out: `{ owner: '$CURRENT_USER' }`. */
  readonly presets?: object;
  /** Whether a write under the rule must be explained by a comment. */
  readonly explain?: boolean;
}

/**
 * A policy by its key: `'clerk'`, or until an instant (RFC 3339):
 * `{ policy: 'clerk', expires_at: '2030-01-01T00:00:00Z' }`.
 */
export type ManagedGrant = string | { readonly policy: string; readonly expires_at?: string };

interface Presentation {
  readonly name: string;
  readonly icon?: string;
  readonly description?: string;
}

/** A role that comes with a module. */
export interface ManagedRole extends Presentation {
  /** The key of the parent role, one of the same `ManagedRules`. */
  readonly parent?: string;
  /** The policies that are attached to the role. */
  readonly policies?: readonly ManagedGrant[];
}

/** A policy that comes with a module. Flags are off, and lists are empty, where they are left out. */
export interface ManagedPolicy extends Presentation {
  /** Addresses or networks from which it is in force: `['10.0.0.0/8']`. Empty: from everywhere. */
  readonly ip_access?: readonly string[];
  /** Its users are refused everything until they have set up two-factor authentication. */
  readonly enforce_tfa?: boolean;
  /** Everything is allowed. */
  readonly admin_access?: boolean;
  /** Access to the service's own pages. */
  readonly app_access?: boolean;
  /** Its rules. */
  readonly permissions?: readonly ManagedRule[];
}

/** Roles, policies and rules that come with a module, in the format of `doorward access export`. */
export interface ManagedRules {
  /** The name of all of these together: small letters, digits and single hyphens. */
  readonly key: string;
  /** A whole number from 1; raise it with every change, or the change is not applied. */
  readonly version: number;
  /** By key, unique among all roles. In filters and presets `$ROLE(key)` stands for the id. */
  readonly roles?: Readonly<Record<string, ManagedRole>>;
  /** By key, unique among all policies. In filters and presets `$POLICY(key)` stands for the id. */
  readonly policies?: Readonly<Record<string, ManagedPolicy>>;
  /** Policies of everyone, signed in or not. */
  readonly everyone?: readonly ManagedGrant[];
}

export const MANAGED_RULES = 'doorward:managed-rules';

/**
 * A provider with which a module brings roles, policies and rules. The start writes them to the database where
 * `version` is higher than the stored one; otherwise they cannot be changed, through the API either. Administrators
 * attach the policies to users and to roles of their own. Wrong rules stop the start with a RegistrationError.
 *
 *     @Module({ providers: [provideRules({ key: 'invoicing', version: 1, policies: { clerk: { name: 'Clerk' } } })] })
 */
export const provideRules = (rules: ManagedRules): ValueProvider<ManagedRules> =>
  provideValue(MANAGED_RULES, rules);
