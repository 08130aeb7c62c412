import { isDeepStrictEqual } from 'node:util';
import {
  AccessFault,
  type CollectionShape,
  type FieldShape,
  parseRule,
  type Rule,
  type RuleSource,
  type Schema,
} from '../../engine';
import type { Queries } from '../../database/database';
import type { RuleMarks } from '../../database/marks/forget-vanished';

/** A rule with the marks that its names had when it was checked. */
export interface MarkedSource extends RuleSource {
  readonly marks?: RuleMarks;
}

/** The marks of names in the database that is served, one or several; nothing for a missing column. */
export interface Meanings {
  of(collection: string, field?: string): string | undefined;
  /** Reads the marks again, in the transaction if one is open: tables may have been created since. */
  learn(tx?: Queries): Promise<void>;
}

export type Woken =
  | { readonly rule: Rule }
  | { readonly asleep: 'unregistered' | 'other' }
  | { readonly fault: AccessFault };

/**
 * Reads the part of a rule that is awake. A name that no module registers, or that means another column than when the
 * rule was checked, sleeps: in `fields` it is left out, anywhere else the whole rule sleeps with it.
 */
export function wake(source: MarkedSource, schema: Schema, meanings: Meanings): Woken {
  const { collection, marks } = source;
  const fields = (source.fields ?? []).filter(
    (name) => name === '*' || isAwake(name, source, schema, meanings),
  );
  const names = new Names(schema);
  try {
    const rule = parseRule({ ...source, fields }, names);
    const kept = marks?.names ?? {};
    const same = [...names.spoken].every(([key, [of, field]]) =>
      means(kept[key], meanings.of(of, field)),
    );
    return same ? { rule } : { asleep: 'other' };
  } catch (error) {
    if (!(error instanceof AccessFault)) throw error;
    const sleeps =
      !schema.get(collection) || partsOf(source).some((part) => isHidden(part, schema));
    return sleeps ? { asleep: 'unregistered' } : { fault: error };
  }
}

const isAwake = (name: string, source: MarkedSource, schema: Schema, meanings: Meanings): boolean =>
  schema.get(source.collection)?.fields.has(name) === true &&
  means(source.marks?.fields?.[name], meanings.of(source.collection, name));

/**
 * Whether a name has the same meaning as when the rule was checked. A name that was never checked, as in a rule written
 * by SQL, has its current meaning.
 */
const means = (kept: string | undefined, now: string | undefined): boolean =>
  kept === undefined || kept === now;

export function faultOf(rule: RuleSource, schema: Schema): AccessFault | undefined {
  try {
    parseRule(rule, schema);
    return undefined;
  } catch (error) {
    if (!(error instanceof AccessFault)) throw error;
    return error;
  }
}

const isHidden = (part: RuleSource, schema: Schema): boolean =>
  faultOf(part, schema)?.kind === 'hidden';

/**
 * Whether a rule that does not fit differs from its former version only in parts that fit, so that its sleeping parts
 * are unchanged.
 * @param old the same rule before
 */
export function leavesSleeping(rule: RuleSource, old: RuleSource, schema: Schema): boolean {
  if (rule.collection !== old.collection) return false;
  const parts = PROPERTIES.every((name) => {
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
  meanings: Meanings,
): RuleMarks {
  const kept = old?.collection === rule.collection ? old.marks : undefined;
  const before = kept && old ? partsOf(old) : [];
  const names: Record<string, string> = {};
  const sleeps =
    partsOf(rule).some((part) => isHidden(part, schema)) || !schema.get(rule.collection);
  if (sleeps) Object.assign(names, kept?.names);
  for (const part of [{ ...rule, ...BARE }, ...partsOf(rule)]) {
    const isOld =
      before.some((each) => isSamePart(each, part)) || part.permissions === BARE.permissions;
    for (const [key, [of, field]] of spokenOf(part, schema)) {
      const mark = (isOld ? kept?.names?.[key] : undefined) ?? meanings.of(of, field);
      if (mark !== undefined) names[key] = mark;
    }
  }
  const fields = (rule.fields ?? []).flatMap((name): [string, string][] => {
    const listed = old?.fields?.includes(name) === true;
    const mark = (listed ? kept?.fields?.[name] : undefined) ?? meanings.of(rule.collection, name);
    return name === '*' || mark === undefined ? [] : [[name, mark]];
  });
  return { names, fields: Object.fromEntries(fields) };
}

const PROPERTIES = ['permissions', 'validation', 'presets'] as const;
const BARE = { fields: [], permissions: null, validation: null, presets: null };

const isSamePart = (one: RuleSource, other: RuleSource): boolean =>
  isDeepStrictEqual(
    [one.permissions, one.validation, one.presets],
    [other.permissions, other.validation, other.presets],
  );

/**
 * Splits the rule into one per name: a mistake elsewhere, such as an operator that is no longer valid, must not hide a
 * name.
 */
function partsOf(rule: RuleSource): RuleSource[] {
  const bare = { ...rule, ...BARE };
  return [
    ...branchesOf(rule.permissions).map((permissions) => ({ ...bare, permissions })),
    ...branchesOf(rule.validation).map((validation) => ({ ...bare, validation })),
    ...membersOf(rule.presets).map(([name, value]) => ({ ...bare, presets: { [name]: value } })),
  ];
}

/** Every path down a filter, as a filter of its own. */
function branchesOf(filter: unknown): unknown[] {
  if (Array.isArray(filter)) return filter.flatMap(branchesOf);
  return membersOf(filter).flatMap(([name, value]): unknown[] => {
    if (name === '_and' || name === '_or') return branchesOf(value);
    const below = Array.isArray(value) ? [] : branchesOf(value);
    return (below.length > 0 ? below : [value]).map((inner) => ({ [name]: inner }));
  });
}

const membersOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

type Spoken = ReadonlyMap<string, readonly [collection: string, field?: string]>;

function spokenOf(part: RuleSource, schema: Schema): Spoken {
  const names = new Names(schema);
  faultOf(part, names);
  return names.spoken;
}

/** The schema, recording which collections and fields are looked up. */
class Names implements Schema {
  readonly spoken = new Map<string, readonly [collection: string, field?: string]>();
  private readonly shapes = new Map<string, CollectionShape>();

  constructor(private readonly schema: Schema) {}

  get(name: string): CollectionShape | undefined {
    const known = this.shapes.get(name);
    if (known) return known;
    const shape = this.schema.get(name);
    if (!shape) return undefined;
    this.spoken.set(name, [name]);
    const note = (field: string): void => void this.spoken.set(`${name}.${field}`, [name, field]);
    const noting = { ...shape, fields: new NotingFields(shape.fields, note) };
    this.shapes.set(name, noting);
    return noting;
  }

  all(): Iterable<CollectionShape> {
    return this.schema.all();
  }
}

class NotingFields extends Map<string, FieldShape> {
  constructor(
    fields: ReadonlyMap<string, FieldShape>,
    private readonly note: (field: string) => void,
  ) {
    super(fields);
  }

  override get(name: string): FieldShape | undefined {
    const field = super.get(name);
    if (field) this.note(name);
    return field;
  }
}
