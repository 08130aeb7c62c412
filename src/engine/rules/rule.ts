import { hidden, malformed } from '../access-fault';
import { type Filter, type Term } from '../filter/filter';
import { parseFilter } from '../filter/parse-filter';
import { isComparable } from '../filter/parse-operands';
import { looksLikeVariable, parseVariable, type Variable, variableType } from '../filter/variables';
import {
  type CollectionShape,
  type FieldLookup,
  type FieldShape,
  isComparableField,
  isStored,
  type Schema,
  type StoredField,
} from '../schema/schema';
import { parseValue } from '../schema/parse-value';

export const ACTIONS = ['create', 'read', 'update', 'delete', 'share', 'comment'] as const;
export type Action = (typeof ACTIONS)[number];

/** A rule as it is stored and as it is sent. */
export interface RuleSource {
  readonly id: number;
  readonly policy: string;
  readonly collection: string;
  readonly action: string;
  readonly permissions: unknown;
  readonly validation: unknown;
  readonly presets: unknown;
  readonly fields: readonly string[] | null;
  /** Whether the action requires a comment on what was changed. */
  readonly explain?: boolean;
}

/** Which fields a rule grants: a set of names, or all. */
export type FieldSet = ReadonlySet<string> | '*';

export const hasField = (fields: FieldSet, name: string): boolean =>
  fields === '*' || fields.has(name);

/** `null` is a preset too: it clears the field. */
export type Preset = Term | { readonly literal: null };

/** A rule that has been checked against the schema. */
export interface Rule {
  readonly id: number;
  readonly policy: string;
  readonly collection: string;
  readonly action: Action;
  readonly rows: Filter;
  readonly validation: Filter;
  readonly presets: ReadonlyMap<string, Preset>;
  readonly fields: FieldSet;
  /** Not stored, but implied by a property of the policy; nobody holds anything in full by such a rule. */
  readonly implied?: boolean;
  /** Whether the action requires a comment on what was changed. */
  readonly explain?: boolean;
}

const isAction = (text: unknown): text is Action => (ACTIONS as readonly unknown[]).includes(text);

const WRITING: readonly string[] = ['create', 'update', 'delete'];

/**
 * Checks a rule against the collections that exist and reads it into its typed form.
 * @throws AccessFault that names the property, and within it the field or operator
 */
export function parseRule(source: RuleSource, schema: Schema): Rule {
  const collection = schema.get(source.collection);
  if (!collection) throw hidden(['collection'], source.collection);
  if (!isAction(source.action)) throw malformed(['action'], `must be one of ${ACTIONS.join(', ')}`);
  if (collection.view && WRITING.includes(source.action)) {
    throw malformed(
      ['action'],
      `must not be ${source.action}, since ${collection.name} is only read`,
    );
  }
  const lookup = openLookup(schema);
  return {
    id: source.id,
    policy: source.policy,
    collection: source.collection,
    action: source.action,
    ...(source.explain === true && { explain: true }),
    fields: parseFields(source.fields ?? [], collection),
    rows: parseFilter(source.permissions, collection.name, { lookup, position: 'rule' }, [
      'permissions',
    ]),
    validation: parseFilter(
      source.validation,
      collection.name,
      { lookup, position: 'rule', regex: true, alsoNamed: concealedOf(collection) },
      ['validation'],
    ),
    presets: parsePresets(source.presets, collection, lookup, source.action),
  };
}

/** Shows every field that can be compared: the lookup for rules, and for administrators' queries. */
export const openLookup = (schema: Schema): FieldLookup => ({
  key: (collection) => schema.get(collection)?.key,
  field: (collection, name) => {
    const field = schema.get(collection)?.fields.get(name);
    return field && isComparableField(field) ? field : undefined;
  },
});

const concealedOf = (collection: CollectionShape): ReadonlyMap<string, FieldShape> =>
  new Map([...collection.fields].filter(([, field]) => field.concealed));

const isList = (raw: unknown): raw is readonly unknown[] => Array.isArray(raw);

function parseFields(fields: readonly string[], collection: CollectionShape): FieldSet {
  if (!isList(fields)) throw malformed(['fields'], 'must be a list of names');
  for (const name of fields) {
    if (typeof name !== 'string') throw malformed(['fields'], 'must be a list of names');
    if (name !== '*' && !collection.fields.has(name))
      throw hidden(['fields'], collection.name, name);
  }
  return grantable(fields.includes('*') ? '*' : new Set(fields), collection);
}

/** Without the fields that no rule grants, so that whoever is granted all others holds such a rule in full. */
function grantable(fields: FieldSet, collection: CollectionShape): FieldSet {
  const kept = [...collection.fields.values()].filter(isAdminOnly);
  if (kept.length === 0) return fields;
  const named = fields === '*' ? collection.fields.keys() : fields;
  return new Set([...named].filter((name) => !kept.some((field) => field.name === name)));
}

const isAdminOnly = (field: FieldShape): boolean => isStored(field) && field.adminOnly === true;

function parsePresets(
  raw: unknown,
  collection: CollectionShape,
  lookup: FieldLookup,
  action: Action,
): ReadonlyMap<string, Preset> {
  if (raw === null || raw === undefined) return new Map();
  if (typeof raw !== 'object' || Array.isArray(raw))
    throw malformed(['presets'], 'must be an object');
  return new Map(
    Object.entries(raw).map(([name, value]: [string, unknown]) => {
      const path = ['presets', name];
      const field = lookup.field(collection.name, name);
      if (!field) throw hidden(path, collection.name, name);
      if (!isStored(field)) throw malformed(path, 'is a list of related rows and takes no preset');
      if (!takesPreset(field, action))
        throw malformed(path, 'takes no preset: rules do not write it');
      if (name === collection.key) refuseKeyPreset(value, action, path);
      return [name, parsePreset(value, field, lookup, path)];
    }),
  );
}

/** A write-once field may be preset in a create: there is no value yet to replace. */
const takesPreset = ({ writable }: StoredField, action: Action): boolean =>
  writable === undefined || (writable === 'once' && action !== 'update');

/** A key never changes, and none is empty. */
function refuseKeyPreset(value: unknown, action: Action, path: readonly string[]): void {
  if (action === 'update') throw malformed(path, 'takes no preset: the key of a row never changes');
  if (value === '') throw malformed(path, 'must not be empty, since it is the key');
}

function parsePreset(
  raw: unknown,
  field: StoredField,
  lookup: FieldLookup,
  path: readonly string[],
): Preset {
  if (raw === null) return { literal: null };
  if (typeof raw === 'string' && looksLikeVariable(raw)) {
    const variable = parseVariable(raw, lookup, path);
    if (!fitsField(variable, field)) {
      throw malformed(path, `${raw} does not fit the field`);
    }
    return { variable };
  }
  const parsed = parseValue(field, raw);
  if ('misfit' in parsed) throw malformed(path, parsed.reason);
  return { literal: parsed.value };
}

function fitsField(variable: Variable, field: StoredField): boolean {
  const { type, many } = variableType(variable);
  if (many !== (field.type === 'array')) return false;
  return isComparable(type, field.type === 'array' ? (field.element ?? 'text') : field.type);
}
