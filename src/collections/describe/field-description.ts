import {
  type FieldShape,
  hasField,
  isStored,
  isWritable,
  type Limits,
  type StoredField,
} from '../../engine';
import { type ColumnDescription, describeColumn } from './column-description';
import type { Described } from './described';
import type { RelationDescription } from './relation-description';
import { specialsOf, typeName } from './type-names';

/** In the shape that clients of this kind of API read, with our own additions. */
export interface FieldDescription {
  readonly collection: string;
  readonly field: string;
  /** For a to-one relation its key's type; for a list `alias`, since no column holds it. */
  readonly type: string;
  readonly schema: ColumnDescription | null;
  readonly meta: FieldMeta;
  /** Written, but never shown, filtered or sorted by. */
  readonly concealed: boolean;
  /** It never changes once it is set. */
  readonly write_once: boolean;
  /** Set where the field is computed from other fields. */
  readonly computed: ComputedDescription | null;
  /** The type of an array's members. */
  readonly element: string | null;
  /** Inclusive. */
  readonly min: string | number | null;
  readonly max: string | number | null;
  /** A regular expression (RE2) that is found in the text. */
  readonly pattern: string | null;
  /** `email`. */
  readonly format: string | null;
}

interface FieldMeta {
  readonly collection: string;
  readonly field: string;
  /** `m2o`, `o2m`, `m2m`, `conceal`, `date-created` … */
  readonly special: readonly string[] | null;
  readonly interface: string | null;
  /** `{choices: [{text, value}]}` where there are some. */
  readonly options: { readonly choices: readonly Choice[] } | null;
  /** Clients cannot send it: the service or the team's own code fills it. */
  readonly readonly: boolean;
  /** A create must set it. What clients cannot send, a hook gives. */
  readonly required: boolean;
  readonly hidden: false;
  /** Its place among the fields that the caller may name, from 1: a gap would show that there are others. */
  readonly sort: number;
  readonly width: 'full';
  /** A filter that a value must meet. */
  readonly validation: object | null;
  readonly display: null;
  readonly note: null;
  readonly conditions: null;
  readonly group: null;
}

interface Choice {
  readonly text: string;
  readonly value: string;
}

interface ComputedDescription {
  /** `sql` can be compared like any column; a `function` can only be shown. */
  readonly by: 'sql' | 'function';
  /** Its input fields that the caller may name: the field is null where any input is hidden. */
  readonly from: readonly string[];
}

/** @param relations the described ones: a foreign key to a hidden collection is not shown */
export function describeFields(
  { collection, fields, required }: Described,
  relations: readonly RelationDescription[],
): FieldDescription[] {
  const named = new Set(fields.map(({ name }) => name));
  return fields.map((field, index) => ({
    collection: collection.name,
    field: field.name,
    type: typeName(field),
    schema: isStored(field) ? describeColumn(collection, field, relations) : null,
    meta: {
      collection: collection.name,
      field: field.name,
      special: specialsOf(field),
      ...inputOf(field),
      readonly: !isWritable(field),
      required: isWritable(field) && (isRequired(field) || required.includes(field.name)),
      hidden: false,
      sort: index + 1,
      width: 'full',
      validation: isStored(field) ? validationOf(field) : null,
      display: null,
      note: null,
      conditions: null,
      group: null,
    },
    ...ownAdditions(field),
    computed: computedOf(field, named),
  }));
}

const isRequired = (field: FieldShape): boolean =>
  isStored(field) && !field.nullable && !field.hasDefault;

const INTERFACES = { 'to-one': 'select-dropdown-m2o', 'to-many': 'list-o2m' } as const;

function inputOf(field: FieldShape): Pick<FieldMeta, 'interface' | 'options'> {
  if (field.kind !== 'column') {
    const isLinked = field.kind === 'to-many' && field.through !== undefined;
    return { interface: isLinked ? 'list-m2m' : INTERFACES[field.kind], options: null };
  }
  if (!field.choices) return { interface: null, options: null };
  return {
    interface: field.type === 'array' ? 'select-multiple-dropdown' : 'select-dropdown',
    options: { choices: field.choices.map((value) => ({ text: value, value })) },
  };
}

function validationOf({ name, limits = {} }: StoredField): object | null {
  const { min, max, pattern } = limits;
  const operators = {
    ...(min !== undefined && { _gte: min }),
    ...(max !== undefined && { _lte: max }),
    ...(pattern !== undefined && { _regex: pattern }),
  };
  return Object.keys(operators).length === 0 ? null : { _and: [{ [name]: operators }] };
}

function ownAdditions(field: FieldShape) {
  const stored = isStored(field) ? field : undefined;
  const limits: Limits = stored?.limits ?? {};
  return {
    concealed: field.concealed,
    write_once: stored?.writable === 'once',
    element: stored?.type === 'array' ? (stored.element ?? 'text') : null,
    min: limits.min ?? null,
    max: limits.max ?? null,
    pattern: limits.pattern ?? null,
    format: limits.email ? 'email' : null,
  };
}

function computedOf(field: FieldShape, named: ReadonlySet<string>): ComputedDescription | null {
  if (field.kind !== 'column' || !field.computed) return null;
  const { by, from } = field.computed;
  return { by, from: from.filter((name) => hasField(named, name)) };
}
