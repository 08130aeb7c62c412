import { Inject } from '@nestjs/common';
import type { ProtectedRepository } from '../repository';
import { collectionName, type EntityClass } from '../common/schema';

export const repositoryToken = (collection: string): string => `doorward:repository ${collection}`;
export const serviceToken = (collection: string): string => `doorward:service ${collection}`;

/** A collection by its entity, or by its name where the entity is another module's own affair. */
export type CollectionReference = EntityClass | string;

export const nameOf = (collection: CollectionReference): string =>
  typeof collection === 'string' ? collection : collectionName(collection);

/** The token of a collection's ProtectedRepository, for factories and `app.get`. */
export const repositoryOf = (collection: CollectionReference): string =>
  repositoryToken(nameOf(collection));

/**
 * Injects the ProtectedRepository of a collection: `@InjectCollection(Invoice) invoices: ProtectedRepository<Invoice>`.
 * Of an entity the parameter can be no other's, or it does not compile.
 */
export function InjectCollection<E extends object>(entity: new () => E): InjectRepository<E>;
export function InjectCollection(collection: CollectionReference): ParameterDecorator;
export function InjectCollection(collection: CollectionReference): ParameterDecorator {
  return Inject(repositoryOf(collection));
}

type InjectRepository<E> = <T extends object, const I extends number>(
  target: T,
  method: string | symbol | undefined,
  index: I & (E extends EntityOf<ParameterOf<T, I>> ? unknown : NotThisOne<E>),
) => void;

/** What a constructor takes there; of methods that is not known. */
type ParameterOf<T, I extends number> = T extends abstract new (...args: infer A) => unknown
  ? A[I]
  : unknown;

/** Of a repository without a named entity it may be any. */
type EntityOf<P> = P extends Pick<ProtectedRepository, 'entity'> ? NonNullable<P['entity']> : never;

interface NotThisOne<E> {
  readonly 'the parameter must be': ProtectedRepository<E>;
}

/** Injects the CollectionService of a collection: its operations in the forms of the API. */
export const InjectService = (collection: CollectionReference): ParameterDecorator =>
  Inject(serviceToken(nameOf(collection)));
