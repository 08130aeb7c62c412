import type { ValueProvider } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { provideValue, providedValues } from '../common/provided-values';
import { collectionName, type EntityClass } from '../common/schema';

/** Entities that one module makes collections of. */
interface CollectionRegistration {
  readonly entities: readonly EntityClass[];
  readonly isService: boolean;
  /** They get routes and operations. */
  readonly isOpen: boolean;
}

const PART = 'doorward:collections';

export const provideRegistration = (
  registration: CollectionRegistration,
): ValueProvider<CollectionRegistration> => provideValue(PART, registration);

/** Those of all modules; known before any provider is made. */
export const registrationsOf = (discovery: DiscoveryService): CollectionRegistration[] =>
  providedValues<CollectionRegistration>(discovery, PART);

/** The collections that only have the routes and operations that a team writes for them. */
export function closedCollections(discovery: DiscoveryService): ReadonlySet<string> {
  const all = registrationsOf(discovery);
  const isClosed = ({ isService, isOpen }: CollectionRegistration): boolean =>
    !isService && !isOpen;
  const open = namesIn(all.filter((each) => !isClosed(each)));
  return new Set([...namesIn(all.filter(isClosed))].filter((name) => !open.has(name)));
}

const namesIn = (registrations: readonly CollectionRegistration[]): ReadonlySet<string> =>
  new Set(registrations.flatMap(({ entities }) => entities.map(collectionName)));
