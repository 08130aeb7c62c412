import { ACTIONS } from '../engine';
import type { Grant, Json, RuleFields } from './access-state';

/** By code unit, the same on every machine. */
export const byText = (one: string, other: string): number =>
  one < other ? -1 : Number(one > other);

/** The same value with the members of every object in the order of their names. */
export function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => byText(one, other));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}

/** Equal for values that mean the same. */
export const textOf = (value: unknown): string => JSON.stringify(sortMembers(value)) ?? '';

export const canonicalJson = (value: Json): Json => sortMembers(value) as Json;

/** A set of names: in which order they are listed means nothing, and beside `*` nor do the others. */
export const canonicalNames = (names: readonly string[]): string[] =>
  names.includes('*') ? ['*'] : [...new Set(names)].toSorted(byText);

export const canonicalGrants = (grants: readonly Grant[]): Grant[] =>
  grants.toSorted((one, other) => byText(one.policy, other.policy));

/** Rules of one group may stand for each other; those of different ones speak of different things. */
export const groupOf = ({
  collection,
  action,
}: Pick<RuleFields, 'collection' | 'action'>): string => `${collection} ${action}`;

export const hasPresets = ({ presets }: RuleFields): boolean => Object.keys(presets).length > 0;

/**
 * Rules in the one order that they are written in: by collection and action. Of several on the same, those with presets
 * come first, as they stand, since of two presets for a field the earlier rule's wins; the others by what they say.
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
