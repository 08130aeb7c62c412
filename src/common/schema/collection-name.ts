import { getMetadataArgsStorage } from 'typeorm';
import { collectionOf, type EntityClass, type TargetReference } from './field-declaration';
import { RegistrationError } from './registration-error';

/** The name of an entity's collection: from `@Collection`, or its table's. */
export function collectionName(entity: EntityClass): string {
  const name = collectionOf(entity).name ?? tableOf(entity);
  if (name === undefined) {
    throw new RegistrationError(
      `${entity.name} cannot be a collection: decorate it with @Collection('…'), which names it.`,
    );
  }
  return name;
}

export const tableOf = (entity: EntityClass): string | undefined =>
  getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;

export const targetName = (target: TargetReference): string =>
  typeof target === 'string' ? target : collectionName(target());
