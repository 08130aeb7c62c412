import { Entity } from 'typeorm';
import {
  declareCollection,
  type EntityClass,
  type EntityReference,
  type TargetReference,
} from './field-declaration';
import type { CollectionOptions } from './field-options';

/**
 * Makes a class an entity and a collection of this name; `CollectionsModule.forFeature([Invoice])` registers it. The
 * table has the same name, unless `table` gives another.
 *
 *     @Collection('invoices')
 *     export class Invoice {
 *       @Field.key('integer') id!: number;
 *     }
 */
export function Collection(name: string, options: CollectionOptions = {}): ClassDecorator {
  const { singleton = false, table = name, schema, about } = options;
  const { existing = false, view = false } = options;
  return (target) => {
    const where = { name: table, ...(schema !== undefined && { schema }) };
    Entity({ ...where, synchronize: !existing && !view })(target);
    declareCollection(target as unknown as new () => object, {
      name,
      singleton,
      ...(about && { about }),
      ...(view && { view }),
    });
  };
}

/** Which class a name stands for is known only when all entities of an application are: its data source resolves it. */
export const entityOf = (target: TargetReference): EntityReference =>
  typeof target === 'string' ? () => target as unknown as EntityClass : target;
