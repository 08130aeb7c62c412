import { isDeepStrictEqual } from 'node:util';
import { AccessFault, parseRule, type Rule, type RuleSource, type Schema } from '../../engine';
import type { Queries } from '../../database/database';
import type { RuleMarks } from '../../database/marks/forget-vanished';
import {
  BARE,
  CONDITIONS,
  faultOf,
  isHidden,
  textOfPart,
  namesIn,
  NameRecorder,
  partsOf,
} from './rule-names';

/** A rule with the marks that its names had when it was checked. */
export interface MarkedSource extends RuleSource {
  readonly marks?: RuleMarks;
}

/** The marks of names in the database that is served, one or several; nothing for a missing column. */
export interface CurrentMarks {
  of(collection: string, field?: string): string | undefined;
  /** Reads the marks again, in the transaction if one is open: tables may have been created since. */
  reload(tx?: Queries): Promise<void>;
}

/** How many rules are parsed between two turns of the event loop: it takes a few milliseconds. */
export const RULES_PER_TURN = 100;

/**
 * A rule; or why it sleeps, `unregistered` if a name is not registered, `other` if a name means another table or column
 * than when the rule was checked; or the fault of a rule that does not fit the schema.
 */
export type AwakeResult =
  | { readonly rule: Rule }
  | { readonly asleep: 'unregistered' | 'other' }
  | { readonly fault: AccessFault };

/**
 * Reads the part of a rule that is awake. A name that no module registers, or that means another column than when the
 * rule was checked, sleeps: in `fields` it is left out, anywhere else the whole rule sleeps with it.
 */
export function parseAwake(
  source: MarkedSource,
  schema: Schema,
  currentMarks: CurrentMarks,
): AwakeResult {
  const { collection, marks } = source;
  const fields = (source.fields ?? []).filter(
    (name) => name === '*' || isAwake(name, source, schema, currentMarks),
  );
  const names = new NameRecorder(schema);
  try {
    const rule = parseRule({ ...source, fields }, names);
    const kept = marks?.names ?? {};
    const same = [...names.found].every(([key, [of, field]]) =>
      isSameMark(kept[key], currentMarks.of(of, field)),
    );
    return same ? { rule } : { asleep: 'other' };
  } catch (error) {
    if (!(error instanceof AccessFault)) throw error;
    const sleeps =
      !schema.get(collection) || partsOf(source).some((part) => isHidden(part, schema));
    return sleeps ? { asleep: 'unregistered' } : { fault: error };
  }
}

const isAwake = (
  name: string,
  source: MarkedSource,
  schema: Schema,
  currentMarks: CurrentMarks,
): boolean =>
  schema.get(source.collection)?.fields.has(name) === true &&
  isSameMark(source.marks?.fields?.[name], currentMarks.of(source.collection, name));

/**
 * Whether a name has the same meaning as when the rule was checked. A name that was never checked, as in a rule written
 * by SQL, has its current meaning.
 */
const isSameMark = (kept: string | undefined, now: string | undefined): boolean =>
  kept === undefined || kept === now;

/**
 * Whether a rule that does not fit differs from its former version only in parts that fit, so that its sleeping parts
 * are unchanged.
 * @param old the same rule before
 */
export function leavesSleeping(rule: RuleSource, old: RuleSource, schema: Schema): boolean {
  if (rule.collection !== old.collection) return false;
  const parts = CONDITIONS.every((name) => {
    const fault = faultOf({ ...rule, ...BARE, [name]: rule[name] }, schema);
    return !fault || (fault.kind === 'hidden' && isDeepStrictEqual(rule[name], old[name]));
  });
  const known = schema.get(rule.collection)?.fields;
  const isKept = (name: string): boolean =>
    name === '*' || known?.has(name) === true || old.fields?.includes(name) === true;
  return parts && (rule.fields ?? []).every(isKept);
}

/**
 * The marks of a rule from now on: today's for names that are new in it, the former ones for the others.
 * @param old the same rule before, with its marks; none for a new one
 */
export function markRule(
  rule: RuleSource,
  old: MarkedSource | undefined,
  schema: Schema,
  currentMarks: CurrentMarks,
): RuleMarks {
  const kept = old?.collection === rule.collection ? old.marks : undefined;
  // A rule may have hundreds of parts.
  const before = new Set(kept && old ? partsOf(old).map(textOfPart) : []);
  const names: Record<string, string> = {};
  const sleeps =
    partsOf(rule).some((part) => isHidden(part, schema)) || !schema.get(rule.collection);
  if (sleeps) Object.assign(names, kept?.names);
  const bare = { ...rule, ...BARE };
  for (const part of [bare, ...partsOf(rule)]) {
    const isOld = part === bare || before.has(textOfPart(part));
    for (const [key, [of, field]] of namesIn(part, schema)) {
      const mark = (isOld ? kept?.names?.[key] : undefined) ?? currentMarks.of(of, field);
      if (mark !== undefined) names[key] = mark;
    }
  }
  const fields = (rule.fields ?? []).flatMap((name): [string, string][] => {
    const listed = old?.fields?.includes(name) === true;
    const mark =
      (listed ? kept?.fields?.[name] : undefined) ?? currentMarks.of(rule.collection, name);
    return name === '*' || mark === undefined ? [] : [[name, mark]];
  });
  return { names, fields: Object.fromEntries(fields) };
}
