import { Inject } from '@nestjs/common';
import { collectionName, type EntityClass } from '../common/schema';

export const repositoryToken = (collection: string): string => `doorward:repository ${collection}`;
export const serviceToken = (collection: string): string => `doorward:service ${collection}`;

/** A collection by its entity, or by its name where the entity is another module's own affair. */
export type CollectionReference = EntityClass | string;

export const nameOf = (collection: CollectionReference): string =>
  typeof collection === 'string' ? collection : collectionName(collection);

/** Injects the ProtectedRepository of a collection. */
export const InjectCollection = (collection: CollectionReference): ParameterDecorator =>
  Inject(repositoryToken(nameOf(collection)));

/** Injects the CollectionService of a collection: its operations in the forms of the API. */
export const InjectService = (collection: CollectionReference): ParameterDecorator =>
  Inject(serviceToken(nameOf(collection)));
