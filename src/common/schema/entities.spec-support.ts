import 'reflect-metadata';
import { checkEntities } from './check-entities';
import { Collection } from './collection.decorator';
import type { EntityClass } from './field-declaration';
import type { CollectionOptions } from './field-options';
import { Field } from './fields';

/** A class with a key, and one more property that a test decorates. */
export const made = (...decorators: readonly PropertyDecorator[]): EntityClass =>
  madeWith({}, ...decorators);

export function madeWith(
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

/** What a start says about these entities: `accepted`, or the message of the error. */
export const words = (...entities: readonly EntityClass[]): string => {
  try {
    checkEntities(entities);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};
