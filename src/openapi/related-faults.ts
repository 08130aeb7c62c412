import { type FieldShape, isStored } from '../engine';
import type { CollectionRights, Rights } from './collection-rights';

/** Collections, by a refusal that requests for their items may get because of them or of related items. */
interface RelatedFaults {
  /** Nested writes reach items with a version. */
  readonly versions: ReadonlySet<string>;
  /** Reads reach items with a field that SQL computes. */
  readonly computed: ReadonlySet<string>;
}

const known = new WeakMap<Rights, RelatedFaults>();

/** Found once for each document. */
export function relatedFaults(rights: Rights): RelatedFaults {
  const found = known.get(rights) ?? {
    versions: leadingTo(rights, hasVersion, writtenFields),
    computed: leadingTo(rights, isComputed, ({ read = [] }) => read),
  };
  known.set(rights, found);
  return found;
}

type FieldsOf = (granted: CollectionRights) => readonly { readonly field: FieldShape }[];

const writtenFields: FieldsOf = ({ create = [], update = [] }) => [...create, ...update];

const hasVersion = ({ collection, update }: CollectionRights): boolean =>
  update !== undefined &&
  [...collection.fields.values()].some((field) => isStored(field) && field.filling === 'version');

const isComputed = ({ collection }: CollectionRights): boolean =>
  [...collection.fields.values()].some(
    (field) => field.kind === 'column' && field.computed?.by === 'sql',
  );

/** The collections for which something holds, and those from which relations lead there. */
function leadingTo(
  rights: Rights,
  holds: (granted: CollectionRights) => boolean,
  fieldsOf: FieldsOf,
): ReadonlySet<string> {
  const from = new Map<string, string[]>();
  for (const granted of rights.values()) {
    for (const target of targetsOf(granted, fieldsOf)) {
      const names = from.get(target) ?? [];
      names.push(granted.collection.name);
      from.set(target, names);
    }
  }
  // What is added to a set while it is walked is walked, too.
  const reached = new Set<string>();
  for (const [name, granted] of rights) if (holds(granted)) reached.add(name);
  for (const name of reached) for (const before of from.get(name) ?? []) reached.add(before);
  return reached;
}

const targetsOf = (granted: CollectionRights, fieldsOf: FieldsOf): ReadonlySet<string> =>
  new Set(
    fieldsOf(granted).flatMap(({ field }) => (field.kind === 'column' ? [] : [field.target])),
  );

/** Whether an item created in this collection may hold others of these collections. */
export const mayHold = (granted: CollectionRights, collections: ReadonlySet<string>): boolean =>
  [...targetsOf(granted, writtenFields)].some((target) => collections.has(target));
