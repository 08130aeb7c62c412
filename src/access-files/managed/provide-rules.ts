import type { ValueProvider } from '@nestjs/common';
import { provideValue } from '../../common/provided-values';
import type { Action } from '../../engine';

/** One rule, as `POST /permissions` takes it and a file has it; its policy is the one that it stands under. */
export interface ManagedRule {
  readonly collection: string;
  readonly action: Action;
  /** `['*']`: all. */
  readonly fields?: readonly string[];
  readonly permissions?: object;
  readonly validation?: object;
  readonly presets?: object;
  readonly explain?: boolean;
}

/** A policy by its key, maybe until an instant (RFC 3339). */
export type ManagedGrant = string | { readonly policy: string; readonly expires_at?: string };

interface Face {
  readonly name: string;
  readonly icon?: string;
  readonly description?: string;
}

export interface ManagedRole extends Face {
  /** The key of another role of these. */
  readonly parent?: string;
  readonly policies?: readonly ManagedGrant[];
}

export interface ManagedPolicy extends Face {
  readonly ip_access?: readonly string[];
  readonly enforce_tfa?: boolean;
  readonly admin_access?: boolean;
  readonly app_access?: boolean;
  readonly permissions?: readonly ManagedRule[];
}

/** Roles, policies and rules that come with a module, in the format of `doorward access export`. */
export interface ManagedRules {
  /** What they are together; small letters, digits and single hyphens. */
  readonly key: string;
  /** A whole number from 1. Whatever changes of them, it is raised with it. */
  readonly version: number;
  /** By key, which no other role has. In filters `$ROLE(key)` stands for its id. */
  readonly roles?: Readonly<Record<string, ManagedRole>>;
  /** By key, which no other policy has. In filters `$POLICY(key)` stands for its id. */
  readonly policies?: Readonly<Record<string, ManagedPolicy>>;
  /** What everybody gets, signed in or not. */
  readonly everyone?: readonly ManagedGrant[];
}

export const MANAGED_RULES = 'doorward:managed-rules';

/**
 * A provider by which a module brings its roles, policies and rules. A start carries them out where their version is
 * higher than that in the database; from then on nothing but a start changes them. Whom they are for stays for
 * administrators to say: they attach these policies to users and to roles of their own.
 */
export const provideRules = (rules: ManagedRules): ValueProvider<ManagedRules> =>
  provideValue(MANAGED_RULES, rules);
