import { type Cell, isStored, type PathVariable, CALLER_COLLECTIONS } from '../engine';
import type { Database } from '../database';
import { loadPrincipal, type Principal } from './principal';
import { type CollectionRegistry, readVariables, RealView } from '../repository';

/** Changes to these are published, so what was read of them may be cached: all columns except `last_access`. */
const PUBLISHED: readonly string[] = Object.values(CALLER_COLLECTIONS);
const UNPUBLISHED = 'last_access';

/** Reads from the real tables who a caller is, and what `$CURRENT_USER.…` and `$CURRENT_ROLE.…` stand for. */
export interface PrincipalLoader {
  /** @returns nothing where the user does not exist */
  principal(user: string | null): Promise<Principal | undefined>;
  /** @returns the values by the variable's written form */
  load(
    principal: Principal,
    variables: readonly PathVariable[],
  ): Promise<ReadonlyMap<string, Cell>>;
  /** Whether the variable depends on nothing but users and roles, whose changes are announced. */
  isCacheable(variable: PathVariable): boolean;
}

/**
 * Reads principals, and the variables of their rules, from the real tables.
 * @param trusted the providers whose sign-ins count as made with a second factor
 */
export function principalLoader(
  registry: CollectionRegistry,
  database: Database,
  trusted: readonly string[],
): PrincipalLoader {
  return {
    principal: (user) => loadPrincipal(database, user, trusted),
    load: (principal: Principal, variables) =>
      readVariables(variables, (kind) => principal[kind], new RealView(registry), database),
    isCacheable: (variable) => staysWithin(registry, variable),
  };
}

/** Whether a path leads only through the caller's own row and roles. */
function staysWithin(registry: CollectionRegistry, { kind, path }: PathVariable): boolean {
  let collection: string = CALLER_COLLECTIONS[kind];
  if (collection === CALLER_COLLECTIONS.user && path.at(-1) === UNPUBLISHED) return false;
  for (const name of path.slice(0, -1)) {
    const field = registry.get(collection)?.fields.get(name);
    if (!field || !isStored(field) || field.kind !== 'to-one') return false;
    collection = field.target;
    // Changes of another user's row do not drop what is cached for this principal.
    if (collection !== CALLER_COLLECTIONS.role) return false;
  }
  const last = registry.get(collection)?.fields.get(path.at(-1) ?? '');
  // What is computed may read the clock, or a column whose changes are not published.
  if (last?.kind === 'column' && last.computed) return false;
  return PUBLISHED.includes(collection);
}
