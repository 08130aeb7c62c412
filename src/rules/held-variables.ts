import { isStored, type PathVariable, WHO_COLLECTIONS } from '../engine';
import type { Database } from '../database';
import type { Bearer } from './bearer';
import type { VariableLoader } from './held-rules';
import { type CollectionRegistry, readVariables, RealView } from '../repository';

/** Changes to these are told, so that what was read of them may be held: all but that somebody signed in. */
const TOLD: readonly string[] = Object.values(WHO_COLLECTIONS);
const UNTOLD = 'last_access';

/** Reads the variables of rules from the real tables. */
export function heldVariables(registry: CollectionRegistry, database: Database): VariableLoader {
  return {
    load: (bearer: Bearer, variables) =>
      readVariables(variables, (kind) => bearer[kind], new RealView(registry), database),
    isHeld: (variable) => staysWithin(registry, variable),
  };
}

/** Whether a path leads through no other rows than the caller's own and roles. */
function staysWithin(registry: CollectionRegistry, { kind, path }: PathVariable): boolean {
  let collection: string = WHO_COLLECTIONS[kind];
  if (collection === WHO_COLLECTIONS.user && path.at(-1) === UNTOLD) return false;
  for (const name of path.slice(0, -1)) {
    const field = registry.get(collection)?.fields.get(name);
    if (!field || !isStored(field) || field.kind !== 'to-one') return false;
    collection = field.target;
    // Another user's row is not the bearer's, whose changes alone drop what is held for them.
    if (collection !== WHO_COLLECTIONS.role) return false;
  }
  return TOLD.includes(collection);
}
