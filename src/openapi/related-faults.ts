import { type FieldShape, isStored } from '../engine';
import type { Sight, Sights } from './sight';

/** Collections, by a refusal that requests for their items may get because of them or of related items. */
interface RelatedFaults {
  /** Nested writes reach items with a version. */
  readonly versions: ReadonlySet<string>;
  /** Reads reach items with a field that SQL computes. */
  readonly computed: ReadonlySet<string>;
}

const known = new WeakMap<Sights, RelatedFaults>();

/** Found once for each document. */
export function relatedFaults(sights: Sights): RelatedFaults {
  const found = known.get(sights) ?? {
    versions: leadingTo(sights, hasVersion, writtenFields),
    computed: leadingTo(sights, isComputed, ({ read = [] }) => read),
  };
  known.set(sights, found);
  return found;
}

type Linked = (sight: Sight) => readonly { readonly field: FieldShape }[];

const writtenFields: Linked = ({ create = [], update = [] }) => [...create, ...update];

const hasVersion = ({ collection, update }: Sight): boolean =>
  update !== undefined &&
  [...collection.fields.values()].some((field) => isStored(field) && field.filling === 'version');

const isComputed = ({ collection }: Sight): boolean =>
  [...collection.fields.values()].some(
    (field) => field.kind === 'column' && field.computed?.by === 'sql',
  );

/** The collections for which something holds, and those from which relations lead there. */
function leadingTo(
  sights: Sights,
  holds: (sight: Sight) => boolean,
  fieldsOf: Linked,
): ReadonlySet<string> {
  const from = new Map<string, string[]>();
  for (const sight of sights.values()) {
    for (const target of targetsOf(sight, fieldsOf)) {
      const names = from.get(target) ?? [];
      names.push(sight.collection.name);
      from.set(target, names);
    }
  }
  // What is added to a set while it is walked is walked, too.
  const reached = new Set<string>();
  for (const [name, sight] of sights) if (holds(sight)) reached.add(name);
  for (const name of reached) for (const before of from.get(name) ?? []) reached.add(before);
  return reached;
}

const targetsOf = (sight: Sight, fieldsOf: Linked): ReadonlySet<string> =>
  new Set(fieldsOf(sight).flatMap(({ field }) => (field.kind === 'column' ? [] : [field.target])));

/** Whether an item created in this collection may hold others of these collections. */
export const mayHold = (sight: Sight, collections: ReadonlySet<string>): boolean =>
  [...targetsOf(sight, writtenFields)].some((target) => collections.has(target));
