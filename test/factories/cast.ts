import type { RuleSeed } from './rules';

export interface UserSeed {
  readonly role?: string;
  readonly policies?: readonly string[];
  readonly [field: string]: unknown;
}

export interface RoleSeed {
  /** The name of another role, told before this one. */
  readonly parent?: string;
  readonly policies?: readonly string[];
}

export interface PolicySeed {
  readonly rules: readonly RuleSeed[];
  readonly ip_access?: readonly string[];
  readonly admin_access?: boolean;
  readonly app_access?: boolean;
}

/**
 * Who plays: everything by its name. Wherever a scenario needs an id it writes the name in angle brackets: `<ann>`;
 * the third rule of the policy `editors` is `<editors#3>`. There already: the user `<admin>`, their role
 * `<administrators>` and policy `<all>`, and the policy `<public>`, which a cast may give rules.
 */
export interface Cast {
  readonly policies?: Readonly<Record<string, readonly RuleSeed[] | PolicySeed>>;
  readonly roles?: Readonly<Record<string, RoleSeed>>;
  readonly users?: Readonly<Record<string, UserSeed>>;
}

export const PASSWORD = 'open-sesame-2';

/** The address of a user of a cast. */
export const emailOf = (name: string): string => `${name}@example.com`;
