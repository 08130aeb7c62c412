import type { RuleSeed } from './rules';

/** The fields of a user, beside what they are attached to; without an address and a password they get those of a cast. */
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

type Row = Readonly<Record<string, unknown>>;
/** Rows of one collection, each by a name of its own where others refer to it. */
export type RowSeeds = readonly Row[] | Readonly<Record<string, Row>>;

/**
 * Who plays, and what is there: everything by its name. Wherever a test needs an id it writes the name in angle
 * brackets: `<ann>`; the third rule of the policy `editors` is `<editors#3>`. There already: the user `<admin>`, their
 * role `<administrators>` and policy `<all>`, and the policy `<public>`, which a cast may give rules; and what
 * modules bring by `provideRules`, by its key.
 */
export interface Cast {
  readonly policies?: Readonly<Record<string, readonly RuleSeed[] | PolicySeed>>;
  readonly roles?: Readonly<Record<string, RoleSeed>>;
  readonly users?: Readonly<Record<string, UserSeed>>;
  /** By collection, each after those that it refers to. A collection of one item gets its first. */
  readonly rows?: Readonly<Record<string, RowSeeds>>;
}

/** That of everybody in a cast. */
export const PASSWORD = 'open-sesame-2';

/** The address of a user of a cast. */
export const emailOf = (name: string): string => `${name}@example.com`;
