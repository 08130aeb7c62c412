import {
  AccessFault,
  type CollectionShape,
  type FieldShape,
  parseRule,
  type RuleSource,
  type Schema,
} from '../../engine';
import { isObject } from '../../common/is-object';

/** The fault of a rule that does not fit the schema. */
export function faultOf(rule: RuleSource, schema: Schema): AccessFault | undefined {
  try {
    parseRule(rule, schema);
    return undefined;
  } catch (error) {
    if (!(error instanceof AccessFault)) throw error;
    return error;
  }
}

/** Whether the part names a collection or field that does not exist. */
export const isHidden = (part: RuleSource, schema: Schema): boolean =>
  faultOf(part, schema)?.kind === 'hidden';

/** The properties of a rule that consist of conditions and values. */
export const CONDITIONS = ['permissions', 'validation', 'presets'] as const;
/** A rule without any names but its collection's. */
export const BARE = { fields: [], permissions: null, validation: null, presets: null };

/** What a part says, as a text: the same for stored parts that say the same, since `jsonb` sorts names. */
export const textOfPart = ({ permissions, validation, presets }: RuleSource): string =>
  JSON.stringify([permissions, validation, presets]);

/**
 * Splits the rule into one per name: a mistake elsewhere, such as an operator that is no longer valid, must not hide a
 * name.
 */
export function partsOf(rule: RuleSource): RuleSource[] {
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
  isObject(value) ? Object.entries(value) : [];

/** Collections and fields by `collection` and `collection.field`. */
type Names = ReadonlyMap<string, readonly [collection: string, field?: string]>;

/** The collections and fields that a part of a rule names, as far as they exist. */
export function namesIn(part: RuleSource, schema: Schema): Names {
  const names = new NameRecorder(schema);
  faultOf(part, names);
  return names.found;
}

/** The schema, recording which collections and fields are looked up. */
export class NameRecorder implements Schema {
  readonly found = new Map<string, readonly [collection: string, field?: string]>();
  private readonly shapes = new Map<string, CollectionShape>();

  constructor(private readonly schema: Schema) {}

  get(name: string): CollectionShape | undefined {
    const known = this.shapes.get(name);
    if (known) return known;
    const shape = this.schema.get(name);
    if (!shape) return undefined;
    this.found.set(name, [name]);
    const note = (field: string): void => void this.found.set(`${name}.${field}`, [name, field]);
    const noting = { ...shape, fields: new RecordingFields(shape.fields, note) };
    this.shapes.set(name, noting);
    return noting;
  }

  all(): Iterable<CollectionShape> {
    return this.schema.all();
  }
}

/** Delegates instead of copying: each of thousands of rules is read with its own. */
class RecordingFields implements ReadonlyMap<string, FieldShape> {
  constructor(
    private readonly fields: ReadonlyMap<string, FieldShape>,
    private readonly note: (field: string) => void,
  ) {}

  get(name: string): FieldShape | undefined {
    const field = this.fields.get(name);
    if (field) this.note(name);
    return field;
  }

  get size(): number {
    return this.fields.size;
  }

  has(name: string): boolean {
    return this.fields.has(name);
  }

  keys(): MapIterator<string> {
    return this.fields.keys();
  }

  values(): MapIterator<FieldShape> {
    return this.fields.values();
  }

  entries(): MapIterator<[string, FieldShape]> {
    return this.fields.entries();
  }

  [Symbol.iterator](): MapIterator<[string, FieldShape]> {
    return this.entries();
  }

  forEach(visit: Parameters<ReadonlyMap<string, FieldShape>['forEach']>[0]): void {
    this.fields.forEach(visit);
  }
}
