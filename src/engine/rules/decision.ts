import { anyOf, type BoundFilter, everything } from '../filter/filter';
import type { Cell } from '../schema/value';
import type { CollectionShape } from '../schema/schema';
import { memoize } from '../memoize';
import { type Action, type FieldSet, hasField } from './rule';

/** One rule of the caller's, bound to the caller. Its rows and the fields it grants on them stay together. */
export interface Case {
  /** The rule's id; null for an administrator's only case, and for rules that are not stored. */
  readonly rule: number | null;
  /** Implied by a property of the policy, such as `app_access`. */
  readonly implied?: boolean;
  /** The rule requires a comment on a write that no other rule allows. */
  readonly explain?: boolean;
  readonly policy: string | null;
  readonly rows: BoundFilter;
  /** The rule has no condition on rows: it reaches every row for every caller, which is known without binding it. */
  readonly everyRow: boolean;
  readonly fields: FieldSet;
  readonly validation: BoundFilter;
  readonly presets: ReadonlyMap<string, Cell>;
  /** Variables of the rule that had no value for this caller, as written. */
  readonly valueless: readonly string[];
}

/** A policy that was considered for the caller, and whether it applies; `token`: their token omits it. */
export interface PolicyVerdict {
  readonly policy: string;
  readonly verdict: 'in force' | 'expired' | 'address' | 'token';
  /** When it stops applying, in milliseconds since 1970; absent: never. */
  readonly until?: number;
}

/**
 * What a caller may do with an action on a collection: a value, made before anything is compiled from it. Enforcing and
 * explaining read the same value, so that they cannot disagree.
 */
export interface Decision {
  readonly collection: CollectionShape;
  readonly action: Action;
  /** An administrator's: one case that grants everything. */
  readonly unrestricted: boolean;
  readonly cases: readonly Case[];
  readonly considered: readonly PolicyVerdict[];
}

/** When a field is granted: on every row that the decision reaches, on those that match the filter, or on none. */
export type Grant = 'always' | 'never' | BoundFilter;

export const allowsAny = (decision: Decision): boolean => decision.cases.length > 0;

/** The rows that some case reaches. */
export const rowFilter = memoize((decision: Decision): BoundFilter =>
  anyOf(decision.cases.map((each) => each.rows)),
);

/** Whether some case lists the field, on whatever rows. */
export const isNamed = (decision: Decision, field: string): boolean =>
  decision.cases.some((each) => hasField(each.fields, field));

/**
 * On which rows, among those that the decision reaches, a field is granted.
 * It is «always» where every case lists the field: every row is reached through one of them.
 */
export function grantOf(decision: Decision, field: string): Grant {
  const known = grantsOf(decision);
  const grant = known.get(field) ?? findGrant(decision, field);
  known.set(field, grant);
  return grant;
}

/** A decision may have thousands of cases, and a query may mention a field hundreds of times. */
const grantsOf = memoize((_: Decision) => new Map<string, Grant>());

function findGrant(decision: Decision, field: string): Grant {
  const granting = decision.cases.filter((each) => hasField(each.fields, field));
  if (granting.length === 0) return 'never';
  if (granting.length === decision.cases.length) return 'always';
  return granting.some((each) => each.everyRow)
    ? 'always'
    : anyOf(granting.map((each) => each.rows));
}

/** Every field that some case grants; '*' where one grants all. */
export const namedFields = memoize((decision: Decision): FieldSet => {
  if (decision.cases.some((each) => each.fields === '*')) return '*';
  return new Set(decision.cases.flatMap((each) => (each.fields === '*' ? [] : [...each.fields])));
});

/** Which of the fields some of the cases together do not grant. */
export const missingFields = (fields: Iterable<string>, cases: readonly Case[]): string[] =>
  [...fields].filter((field) => !cases.some((each) => hasField(each.fields, field)));

/** Whether the cases together grant all of the fields. */
export const covers = (cases: readonly Case[], fields: readonly string[]): boolean =>
  cases.length > 0 && missingFields(fields, cases).length === 0;

/** The presets of several cases as one: of two values for a field the lower rule's wins. */
export function mergePresets(cases: readonly Case[]): ReadonlyMap<string, Cell> {
  const [first, second] = cases;
  if (!first) return NO_PRESETS;
  if (!second) return first.presets;
  const byRule = [...cases].sort((one, other) => (other.rule ?? 0) - (one.rule ?? 0));
  return new Map(byRule.flatMap((each) => [...each.presets]));
}

const NO_PRESETS: ReadonlyMap<string, Cell> = new Map();

/** `none`, `partial` (every case has a row condition) or `full`. */
export function accessOf(decision: Decision): 'none' | 'partial' | 'full' {
  if (!allowsAny(decision)) return 'none';
  return decision.cases.some((each) => each.everyRow) ? 'full' : 'partial';
}

/** An administrator's decision. Concealed fields stay concealed: rules do not affect that. */
export const unrestricted = (
  collection: CollectionShape,
  action: Action,
  considered: readonly PolicyVerdict[],
): Decision => ({
  collection,
  action,
  unrestricted: true,
  considered,
  cases: [
    {
      rule: null,
      policy: null,
      rows: everything,
      everyRow: true,
      fields: '*',
      validation: everything,
      presets: new Map(),
      valueless: [],
    },
  ],
});
