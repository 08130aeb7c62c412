import type { RuleFields } from './access-state';
import { groupOf, hasPresets, textOf } from './canonical';
import { groupBy } from './group-by';

/** A rule of the database with its id. */
export interface StoredRule {
  readonly id: number;
  readonly rule: RuleFields;
  /** A text in the rule that reads as a reference: in a file it would turn into an id. */
  readonly likeReference?: string;
}

/** A rule of the file, with the stored rule that it replaces, if there is one. */
interface RuleMatch {
  readonly wanted: RuleFields;
  /** Its index among the wanted rules. */
  readonly index: number;
  readonly stored?: StoredRule;
}

interface RuleMatches {
  readonly matches: readonly RuleMatch[];
  /** Stored rules that match no rule of the file. */
  readonly others: readonly StoredRule[];
}

/**
 * Rules have no keys. Within a policy, equal rules match; of the others, those of one collection and action that differ
 * in the fewest fields.
 * @param stored in the order of their ids
 */
export function matchRules(
  wanted: readonly RuleFields[],
  stored: readonly StoredRule[],
): RuleMatches {
  const groups = groupBy(stored, ({ rule }) => groupOf(rule));
  const matches: RuleMatch[] = [];
  const indexed = wanted.map((rule, index) => ({ wanted: rule, index }));
  for (const [group, rules] of groupBy(indexed, (each) => groupOf(each.wanted))) {
    const left = [...(groups.get(group) ?? [])];
    groups.set(group, left);
    matches.push(...inOrder(matchGroup(rules, left)));
  }
  return { matches, others: [...groups.values()].flat() };
}

/** @param left the stored rules that are still free; matched ones are removed from it */
function matchGroup(rules: readonly RuleMatch[], left: StoredRule[]): RuleMatch[] {
  const take = (at: number): StoredRule | undefined => left.splice(at, 1)[0];
  const texts = new Map(left.map((each) => [each, textOf(each.rule)]));
  const same = rules.map((each) => {
    const text = textOf(each.wanted);
    const at = left.findIndex((stored) => texts.get(stored) === text);
    return at === -1 ? each : withStored(each, take(at));
  });
  // Written once for each rule: every one that is left is compared with every other.
  const parts = new Map(left.map((each) => [each, partsOf(each.rule)]));
  return same.map((each) => {
    if (each.stored || left.length === 0) return each;
    const wanted = partsOf(each.wanted);
    const apart = left.map((stored) => countDiffering(wanted, parts.get(stored) ?? []));
    return withStored(each, take(apart.indexOf(Math.min(...apart))));
  });
}

/** The texts of what may differ between rules of one collection and action. */
const partsOf = ({ fields, permissions, validation, presets, explain }: RuleFields): string[] =>
  [fields, permissions, validation, presets, explain].map(textOf);

const countDiffering = (one: readonly string[], other: readonly string[]): number =>
  one.filter((text, at) => text !== other[at]).length;

const withStored = (match: RuleMatch, stored: StoredRule | undefined): RuleMatch =>
  stored ? { ...match, stored } : match;

/**
 * Rules apply in the order of their ids, which matters between rules with presets: these get their stored rules in
 * ascending order of ids.
 */
function inOrder(matches: readonly RuleMatch[]): readonly RuleMatch[] {
  const preset = matches.filter(({ wanted }) => hasPresets(wanted));
  const ids = preset.map(({ stored }) => stored?.id ?? Infinity);
  const ascends = ids.every((id, at) => at === 0 || id >= (ids[at - 1] ?? 0));
  if (preset.length < 2 || ascends) return matches;
  const taken = preset
    .flatMap(({ stored }) => stored ?? [])
    .toSorted((one, other) => one.id - other.id);
  const moved = preset.map(({ wanted, index }, at) => withStored({ wanted, index }, taken[at]));
  return matches.map((each) => moved.find(({ index }) => index === each.index) ?? each);
}

/** The names of the fields in which two records differ, in the order of the first record. */
export const differingFields = <T extends object>(one: T, other: T): (keyof T & string)[] =>
  (Object.keys(one) as (keyof T & string)[]).filter(
    (name) => textOf(one[name]) !== textOf(other[name]),
  );
