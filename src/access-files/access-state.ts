import type { Action } from '../engine';

/** A policy that is attached to a role or to everyone, maybe until an instant. */
export interface Grant {
  /** The policy's key. */
  readonly policy: string;
  /** RFC 3339, in UTC and to the millisecond; null: for ever. */
  readonly expires_at: string | null;
}

export interface RoleFields {
  readonly name: string;
  readonly icon: string | null;
  readonly description: string | null;
  /** The parent's key. */
  readonly parent: string | null;
}

export interface PolicyFields {
  readonly name: string;
  readonly icon: string | null;
  readonly description: string | null;
  readonly ip_access: readonly string[];
  readonly enforce_tfa: boolean;
  readonly admin_access: boolean;
  readonly app_access: boolean;
}

export type Json = Readonly<Record<string, unknown>>;

/** A rule; ids of roles and policies in its filters and presets are references by key. */
export interface RuleFields {
  readonly collection: string;
  readonly action: Action;
  readonly fields: readonly string[];
  readonly permissions: Json;
  readonly validation: Json;
  readonly presets: Json;
  readonly explain: boolean;
}

/** A role, with the policies attached to it. */
export interface RoleState {
  readonly fields: RoleFields;
  readonly grants: readonly Grant[];
}

/** A policy, with its rules in order. */
export interface PolicyState {
  readonly fields: PolicyFields;
  readonly rules: readonly RuleFields[];
}

/**
 * Roles, policies, rules and grants, without users: the same shape for files and databases. Roles and policies are
 * identified by keys, which are the same in every database.
 */
export interface AccessState {
  readonly roles: ReadonlyMap<string, RoleState>;
  readonly policies: ReadonlyMap<string, PolicyState>;
  /** What everyone has, signed in or not. */
  readonly everyone: readonly Grant[];
}
