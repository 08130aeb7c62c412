import { Entity, getMetadataArgsStorage } from 'typeorm';
import {
  collectionOf,
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
    // TypeORM shares this with the team's own data sources, which may manage an existing table.
    Entity({ ...where, synchronize: !view })(target);
    declareCollection(target as unknown as new () => object, {
      name,
      singleton,
      ...(about && { about }),
      ...(view && { view }),
      ...(existing && { existing }),
    });
  };
}

/** Whether our migrations leave its table alone: it is a view, or made by somebody else. */
export const isExisting = (entity: EntityClass): boolean =>
  collectionOf(entity).existing === true ||
  getMetadataArgsStorage().tables.some(
    ({ target, synchronize }) => target === entity && synchronize === false,
  );

/** Which class a name stands for is known only when all entities of an application are: its data source resolves it. */
export const entityOf = (target: TargetReference): EntityReference =>
  typeof target === 'string' ? () => target as unknown as EntityClass : target;
