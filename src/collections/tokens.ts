import { Inject } from '@nestjs/common';
import type { ProtectedRepository } from '../repository';
import { collectionName, type EntityClass } from '../common/schema';

export const serviceToken = (collection: string): string => `doorward:service ${collection}`;

/** A collection: its entity class, or its name where another module keeps the entity to itself. */
export type CollectionReference = EntityClass | string;

export const nameOf = (collection: CollectionReference): string =>
  typeof collection === 'string' ? collection : collectionName(collection);

/**
 * The injection token of a collection's `ProtectedRepository`, for `inject` of a factory and for `app.get`.
 * Constructors take `@InjectCollection`.
 *
 *     const invoices = app.get<ProtectedRepository<Invoice>>(protectedRepositoryToken(Invoice), { strict: false });
 */
export const protectedRepositoryToken = (collection: CollectionReference): string =>
  `doorward:repository ${nameOf(collection)}`;

/**
 * Injects the `ProtectedRepository` of a collection into a constructor:
 *
 *     constructor(@InjectCollection(Invoice) private readonly invoices: ProtectedRepository<Invoice>) {}
 *
 * Given an entity class, a parameter that is typed with another entity does not compile. The module imports the
 * `CollectionsModule.forFeature` that registers the collection.
 */
export function InjectCollection<E extends object>(entity: new () => E): InjectRepository<E>;
export function InjectCollection(collection: CollectionReference): ParameterDecorator;
export function InjectCollection(collection: CollectionReference): ParameterDecorator {
  return Inject(protectedRepositoryToken(collection));
}

type InjectRepository<E> = <T extends object, const I extends number>(
  target: T,
  method: string | symbol | undefined,
  index: I & (E extends EntityOf<ParameterOf<T, I>> ? unknown : NotThisOne<E>),
) => void;

/** The type of the constructor's parameter; of a method's it is not known. */
type ParameterOf<T, I extends number> = T extends abstract new (...args: infer A) => unknown
  ? A[I]
  : unknown;

/** A repository without a named entity fits any. */
type EntityOf<P> = P extends Pick<ProtectedRepository, 'entity'> ? NonNullable<P['entity']> : never;

interface NotThisOne<E> {
  readonly 'the parameter must be': ProtectedRepository<E>;
}

/**
 * Injects the `CollectionService` of a collection into a constructor: its operations with queries and bodies as the API
 * takes them.
 *
 *     constructor(@InjectService(Invoice) private readonly invoices: CollectionService) {}
 */
export const InjectService = (collection: CollectionReference): ParameterDecorator =>
  Inject(serviceToken(nameOf(collection)));
