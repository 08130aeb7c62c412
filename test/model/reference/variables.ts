import type { Cell } from '../../../src/engine';
import { NOW } from '../pools';
import { fieldOf } from '../tables';
import type { World } from '../world';
import { byKey, type Tables, targetOf } from './seen';

/** The values of a variable; none if it has no value. */
export type ValuesOf = (variable: string) => readonly Cell[];

export const isVariable = (raw: unknown): raw is string =>
  typeof raw === 'string' && /^\$(NOW|CURRENT_)/.test(raw);

/** The stored role of the caller's user, and its ancestors. */
export function rolesOf(world: World): string[] {
  const roles: string[] = [];
  const user = world.rows['service_users']?.find((row) => row['id'] === world.caller.user);
  let role = user?.['role'] ?? null;
  while (typeof role === 'string' && !roles.includes(role)) {
    const at = role;
    roles.push(at);
    role = world.rows['service_roles']?.find((row) => row['id'] === at)?.['parent'] ?? null;
  }
  return roles;
}

/** @param tables where paths are followed: the stored tables for rules, the caller's virtual ones for queries */
export function variablesIn(world: World, tables: Tables): ValuesOf {
  const roles = rolesOf(world);
  const { user, policies } = world.caller;
  return (variable) => {
    if (variable.startsWith('$NOW')) return [momentOf(variable)];
    if (variable === '$CURRENT_ROLES') return roles;
    if (variable === '$CURRENT_POLICIES') return policies;
    const [start = '', ...path] = variable.split('.');
    const key = start === '$CURRENT_USER' ? user : (roles[0] ?? null);
    const found = follow(tables, startOf(start), key, path);
    // A double that is no number is read as null, as in answers.
    if (found === null || Number.isNaN(found)) return [];
    return Array.isArray(found) ? (found as Cell[]) : [found];
  };
}

export const startOf = (start: string): string =>
  start === '$CURRENT_USER' ? 'service_users' : 'service_roles';

function follow(tables: Tables, collection: string, key: Cell, path: readonly string[]): Cell {
  const [name, ...rest] = path;
  if (name === undefined) return key;
  const row = byKey(tables, collection, key);
  const cell = row?.cells[name] ?? null;
  const field = fieldOf(collection, name);
  if (rest.length === 0 || !row || field.kind !== 'to-one') return cell;
  return follow(tables, field.target, targetOf(tables, row, field)?.key ?? null, rest);
}

/** The moments in random filters, computed by hand; null beyond the end of the calendar. */
const MOMENTS: Readonly<Record<string, string | null>> = {
  $NOW: NOW.toISOString(),
  '$NOW(-1 day)': '2024-03-30T12:00:00.000Z',
  '$NOW(-1 month)': '2024-02-29T12:00:00.000Z',
  '$NOW(+9999 years)': null,
  '$NOW(1 second)': '2024-03-31T12:00:01.000Z',
};

function momentOf(variable: string): string | null {
  const moment = MOMENTS[variable];
  if (moment === undefined) throw new Error(`The model does not know ${variable}`);
  return moment;
}
