import 'reflect-metadata';
import { checkEntities } from './check-entities';
import { Collection } from './collection.decorator';
import type { EntityClass } from './field-declaration';
import type { CollectionOptions } from './field-options';
import { Field } from './fields';

/** A class `Thing` with a key, and a property `it` with these decorators. */
export const thingWith = (...decorators: readonly PropertyDecorator[]): EntityClass =>
  thingOf({}, ...decorators);

/** The same as a collection with these options. */
export function thingOf(
  options: CollectionOptions,
  ...decorators: readonly PropertyDecorator[]
): EntityClass {
  class Thing {
    id!: number;
  }
  Field.key('integer')(Thing.prototype, 'id');
  for (const decorate of decorators) decorate(Thing.prototype, 'it');
  Collection('things', options)(Thing);
  return Thing;
}

/** The result of checking these entities, as a start does: `accepted`, or the message of the error. */
export const checkResult = (...entities: readonly EntityClass[]): string => {
  try {
    checkEntities(entities);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};
