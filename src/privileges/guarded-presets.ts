import { isDeepStrictEqual } from 'node:util';
import type { GuardedChange, GuardedRow } from './guarded-row';
import { GUARDED_FIELDS } from './guarded-fields';

/** Of these, every field decides what somebody may do. */
const WHOLLY: readonly string[] = ['service_policies', 'service_permissions'];

/** What a narrower rule may differ in: its presets are compared separately. */
const KEPT = ['policy', 'collection', 'action', 'permissions', 'validation'];

/**
 * Whether the rule would make others write who somebody is, or what they may do. A preset is written in the name of
 * whoever the rule applies to, and is judged by their rights: those of its author, who may have fewer, do not count then.
 * So only administrators write such rules. Others may narrow one that exists: grant fewer fields by it, or preset less.
 */
export function addsGuardedPresets({ before, after }: GuardedChange): boolean {
  const presets = guardedPresets(after);
  if (presets.length === 0 || !after) return false;
  if (!before) return true;
  const earlier = guardedPresets(before);
  return !(
    KEPT.every((name) => isDeepStrictEqual(before.state[name], after.state[name])) &&
    presets.every((preset) => earlier.some((other) => isDeepStrictEqual(other, preset))) &&
    namesOf(after).every((name) => namesOf(before).some((other) => other === name || other === '*'))
  );
}

function guardedPresets(row: GuardedRow | undefined): [field: string, value: unknown][] {
  const { collection, presets } = row?.state ?? {};
  const all = Object.entries((presets ?? {}) as object) as [string, unknown][];
  if (WHOLLY.includes(String(collection))) return all;
  const guarded = guardedIn(String(collection));
  return all.filter(([field]) => guarded.has(field));
}

function guardedIn(collection: string): ReadonlySet<string> {
  const guarded = GUARDED_FIELDS.get(collection) ?? {};
  const { fixed = [], administered = {}, granting = [], account = [] } = guarded;
  return new Set([...fixed, ...Object.keys(administered), ...granting, ...account]);
}

const namesOf = ({ state }: GuardedRow): readonly unknown[] =>
  (state['fields'] as readonly unknown[] | null) ?? [];
