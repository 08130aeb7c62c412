import { type FieldShape, hasField, isStored, type Limits, type StoredField } from '../../engine';
import { type ColumnDescription, describeColumn } from './column-description';
import type { Described } from './described';
import type { RelationDescription } from './relation-description';
import { specialsOf, typeName } from './type-names';

/** In the shape that clients of this kind of API read, and what that has no place for. */
export interface FieldDescription {
  readonly collection: string;
  readonly field: string;
  /** Of a to-one relation: its key's; of a list: `alias`, since no column holds it. */
  readonly type: string;
  readonly schema: ColumnDescription | null;
  readonly meta: FieldMeta;
  /** Written, but never shown, filtered or sorted by. */
  readonly concealed: boolean;
  /** It is never changed once it is set. */
  readonly write_once: boolean;
  /** No column holds it: it is made of other fields. */
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
  /** Nobody sends it: the service fills it, or whatever else the team has made for it. */
  readonly readonly: boolean;
  /** A create must set it. */
  readonly required: boolean;
  readonly hidden: false;
  /** Its place among the fields, from 1. */
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
  /** By `sql` it is compared as any column is; by a `function` it is only shown. */
  readonly by: 'sql' | 'function';
  /** The fields that it is made of, as far as the caller may name them: it is null where one of all is hidden. */
  readonly from: readonly string[];
}

/** @param relations those that are described: a foreign key to what is hidden is not told of */
export function describeFields(
  { collection, fields }: Described,
  relations: readonly RelationDescription[],
): FieldDescription[] {
  const named = new Set(fields.map(({ name }) => name));
  const places = [...collection.fields.keys()];
  return fields.map((field) => ({
    collection: collection.name,
    field: field.name,
    type: typeName(field),
    schema: isStored(field) ? describeColumn(collection, field, relations) : null,
    meta: {
      collection: collection.name,
      field: field.name,
      special: specialsOf(field),
      ...inputOf(field),
      readonly: isStored(field) && field.writable === 'never',
      required: isStored(field) && !field.nullable && !field.hasDefault,
      hidden: false,
      sort: places.indexOf(field.name) + 1,
      width: 'full',
      validation: isStored(field) ? validationOf(field) : null,
      display: null,
      note: null,
      conditions: null,
      group: null,
    },
    ...beside(field),
    computed: computedOf(field, named),
  }));
}

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

function beside(field: FieldShape) {
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
