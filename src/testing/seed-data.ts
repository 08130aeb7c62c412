import type { RuleSeed } from './rules';

/**
 * A user: any field that `POST /users` takes. Without `email` it is `emailOf(name)`, without `password` it is
 * `PASSWORD`. Fields that refer to users or rows (`office: '<north>'`) are set once all of these exist.
 *
 *     { role: 'staff', policies: ['clerks'], first_name: 'Ann', status: 'suspended' }
 */
export interface UserSeed {
  /** The name of a role. */
  readonly role?: string;
  /** Names of policies that are attached to the user. */
  readonly policies?: readonly string[];
  readonly [field: string]: unknown;
}

/** A role, by its name. */
export interface RoleSeed {
  /** The name of the parent role, which is listed before this one. */
  readonly parent?: string;
  /** Names of policies that are attached to the role. */
  readonly policies?: readonly string[];
}

/** A policy with its rules and flags. Where there are no flags, a plain list of rules does. */
export interface PolicySeed {
  /** Its rules, in order; `<editors#1>` is the first one's id. */
  readonly rules: readonly RuleSeed[];
  /** Addresses or networks from which the policy is in force: `['10.0.0.0/8']`. */
  readonly ip_access?: readonly string[];
  /** Everything is allowed. */
  readonly admin_access?: boolean;
  /** Access to the service's own pages. */
  readonly app_access?: boolean;
}

type Row = Readonly<Record<string, unknown>>;
/** Rows of one collection: a list, or an object that gives each row a name by which others refer to it. */
export type RowSeeds = readonly Row[] | Readonly<Record<string, Row>>;

/**
 * Users, roles, policies with their rules, and rows that `seed` creates, each under a name. A name in angle brackets
 * stands for an id: `<ann>`; `<editors#3>` is the third rule of the policy `editors`. These names are there from the
 * start: the user `<admin>`, their role `<administrators>` and policy `<all>`; the policy `<public>`, which may be
 * given rules; and roles and policies of `provideRules`, by their keys.
 *
 *     {
 *       policies: { clerks: [read('invoices', ['*'], { owner: { _eq: '$CURRENT_USER' } })] },
 *       users: { ann: { policies: ['clerks'] } },
 *       rows: { invoices: { first: { number: 'A-1', owner: '<ann>' } } },
 *     }
 */
export interface SeedData {
  readonly policies?: Readonly<Record<string, readonly RuleSeed[] | PolicySeed>>;
  readonly roles?: Readonly<Record<string, RoleSeed>>;
  readonly users?: Readonly<Record<string, UserSeed>>;
  /**
   * By collection, in an order in which rows refer to earlier ones only. A row of a singleton updates the one item that
   * there is.
   */
  readonly rows?: Readonly<Record<string, RowSeeds>>;
}

/** The password of every seeded user that is not given another. */
export const PASSWORD = 'open-sesame-2';

/** The e-mail address of every seeded user that is not given another: `emailOf('ann')` is `ann@example.com`. */
export const emailOf = (name: string): string => `${name}@example.com`;
