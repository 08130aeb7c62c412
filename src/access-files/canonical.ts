import { ACTIONS } from '../engine';
import type { Grant, Json, RuleFields } from './access-state';

/** Compares by code unit, and so in the same order on every machine. */
export const byText = (one: string, other: string): number =>
  one < other ? -1 : Number(one > other);

/** The same value with the members of every object sorted by name. */
export function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => byText(one, other));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}

/** Values with the same meaning have equal texts. */
export const textOf = (value: unknown): string => JSON.stringify(sortMembers(value)) ?? '';

export const canonicalJson = (value: Json): Json => sortMembers(value) as Json;

/** The order of names has no meaning; beside `*` all other names are redundant. */
export const canonicalNames = (names: readonly string[]): string[] =>
  names.includes('*') ? ['*'] : [...new Set(names)].toSorted(byText);

/** Grants sorted by policy. */
export const canonicalGrants = (grants: readonly Grant[]): Grant[] =>
  grants.toSorted((one, other) => byText(one.policy, other.policy));

/** The collection and action of a rule. Only rules of the same group are compared with each other. */
export const groupOf = ({
  collection,
  action,
}: Pick<RuleFields, 'collection' | 'action'>): string => `${collection} ${action}`;

export const hasPresets = ({ presets }: RuleFields): boolean => Object.keys(presets).length > 0;

/**
 * Rules in canonical order: by collection and action. Of several on the same, those with presets come first, in their
 * own order, since of two presets for a field the earlier rule's wins; the others are sorted by content.
 */
export function canonicalRules(rules: readonly RuleFields[]): RuleFields[] {
  return rules
    .map((rule, index) => ({ rule, index, text: textOf(rule) }))
    .toSorted((one, other) => {
      const { rule, index } = one;
      const apart =
        byText(rule.collection, other.rule.collection) ||
        ACTIONS.indexOf(rule.action) - ACTIONS.indexOf(other.rule.action) ||
        Number(hasPresets(other.rule)) - Number(hasPresets(rule));
      if (apart !== 0) return apart;
      return hasPresets(rule) ? index - other.index : byText(one.text, other.text);
    })
    .map(({ rule }) => rule);
}

/** Whether a value is a default, which files leave out: null, false, or an empty list or object. */
export const isDefault = (value: unknown): boolean =>
  value === null ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);
