import { hidden, malformed } from '../access-fault';
import type { FieldLookup, ScalarType, StoredField } from '../schema/schema';
import type { Cell } from '../schema/value';
import { formatInstant } from '../schema/parse-time';

/** Where the paths of `$CURRENT_USER` and `$CURRENT_ROLE` start. */
export const CALLER_COLLECTIONS = { user: 'service_users', role: 'service_roles' } as const;

export type OffsetUnit = 'year' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second';

/** A value of the caller or the current time, named in a filter or a preset. */
export type Variable =
  | {
      readonly kind: 'user' | 'role';
      /** Fields from the user's or the role's row on; empty means the key. */
      readonly path: readonly string[];
      readonly field: StoredField;
    }
  | { readonly kind: 'roles' | 'policies' }
  | { readonly kind: 'now'; readonly amount: number; readonly unit: OffsetUnit };

/** A variable that leads from the caller's or the role's row to a field. */
export type PathVariable = Variable & { kind: 'user' | 'role' };

/** Whether the variable's value has to be read: without a path it is the key, which is known. */
export const hasPath = (variable: Variable): variable is PathVariable =>
  'path' in variable && variable.path.length > 0;

/** Gives variables their values; null and a missing value are equivalent. */
export interface VariableSource {
  readonly now: Date;
  valueOf(variable: Exclude<Variable, { kind: 'now' }>): Cell | readonly Cell[] | undefined;
}

const NOW = /^\$NOW(?:\(([+-]?\d{1,5}) (year|month|week|day|hour|minute|second)s?\))?$/;
const PATH = /^\$CURRENT_(USER|ROLE)((?:\.[A-Za-z_][A-Za-z0-9_]*)*)$/;
const MAX_HOPS = 5;

/** Whether a string of a filter is meant as a variable; a malformed variable is a fault, not a literal. */
export const looksLikeVariable = (text: string): boolean => /^\$(CURRENT_|NOW)/.test(text);

export function parseVariable(text: string, lookup: FieldLookup, at: readonly string[]): Variable {
  if (text === '$CURRENT_ROLES') return { kind: 'roles' };
  if (text === '$CURRENT_POLICIES') return { kind: 'policies' };
  const now = NOW.exec(text);
  if (now)
    return { kind: 'now', amount: Number(now[1] ?? 0), unit: (now[2] ?? 'day') as OffsetUnit };
  const path = PATH.exec(text);
  if (!path) throw malformed(at, `holds ${JSON.stringify(text)}, which is no variable`);
  const kind = path[1] === 'USER' ? 'user' : 'role';
  return parsePath(kind, (path[2] ?? '').split('.').slice(1), lookup, at);
}

/** Follows to-one fields to a column; each hop must be one that the lookup shows. */
function parsePath(
  kind: 'user' | 'role',
  path: readonly string[],
  lookup: FieldLookup,
  at: readonly string[],
): Variable {
  if (path.length > MAX_HOPS)
    throw malformed(at, `holds a variable that follows more than ${MAX_HOPS} fields`);
  let collection: string = CALLER_COLLECTIONS[kind];
  let field: StoredField = CALLER_KEY;
  for (const [index, name] of path.entries()) {
    if (index > 0) {
      if (field.kind !== 'to-one')
        throw malformed(at, `${field.name} leads to no other collection`);
      collection = field.target;
    }
    const next = lookup.field(collection, name);
    if (!next) throw hidden(at, collection, name);
    if (next.kind === 'to-many') throw malformed(at, `a variable cannot follow the list ${name}`);
    field = next;
  }
  return { kind, path, field };
}

/** The caller's own key is known from the session, so naming it needs no field of any collection. */
const CALLER_KEY: StoredField = {
  kind: 'column',
  name: 'id',
  type: 'uuid',
  nullable: false,
  concealed: false,
  hasDefault: true,
};

/** The type of a variable's value; `many` where it is a list. */
export function variableType(variable: Variable): {
  readonly type: ScalarType;
  readonly many: boolean;
} {
  switch (variable.kind) {
    case 'roles':
    case 'policies':
      return { type: 'uuid', many: true };
    case 'now':
      return { type: 'timestamp', many: false };
    case 'user':
    case 'role':
      return variable.field.type === 'array'
        ? { type: variable.field.element ?? 'text', many: true }
        : { type: variable.field.type, many: false };
  }
}

/** The time of the request, shifted; months and years clamp to the last day of the month. */
export function resolveNow(variable: Variable & { kind: 'now' }, now: Date): string | null {
  const { amount, unit } = variable;
  const moved =
    unit === 'month' || unit === 'year'
      ? addMonths(now, unit === 'year' ? amount * 12 : amount)
      : now.getTime() + amount * MILLISECONDS[unit];
  return formatInstant(moved)?.value ?? null;
}

const MILLISECONDS = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
} as const;

function addMonths(now: Date, months: number): number {
  const moved = new Date(now.getTime());
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(2000, 0, 1));
  lastDay.setUTCFullYear(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0);
  moved.setUTCDate(Math.min(now.getUTCDate(), lastDay.getUTCDate()));
  return moved.getTime();
}
