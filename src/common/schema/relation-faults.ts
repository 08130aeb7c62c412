import { getMetadataArgsStorage } from 'typeorm';
import type { RelationMetadataArgs } from 'typeorm/metadata-args/RelationMetadataArgs.js';
import { belongsTo, isChecked } from './checked-properties';
import type { EntityClass } from './field-declaration';

/** A relation, or a decorator of TypeORM about relations, that has no effect here. */
export function relationFault(entity: EntityClass): string | undefined {
  const { relations, relationIds, trees, inheritances } = getMetadataArgsStorage();
  const relation = relations
    .filter(isChecked(entity))
    .find((each) => optionFault(each) !== undefined);
  if (relation) return `.${relation.propertyName} is ${optionFault(relation) ?? ''}`;
  const id = relationIds.find(isChecked(entity));
  if (id) {
    return `.${id.propertyName} has @RelationId, which Doorward does not fill: @Field.toOne already shows the key.`;
  }
  if (trees.some(belongsTo(entity))) {
    return ' has @Tree, which Doorward does not maintain: declare the parent with @Field.toOne and the children with @Field.toMany.';
  }
  return inheritances.some(belongsTo(entity))
    ? ' has @TableInheritance, which Doorward does not support: declare a collection for each table.'
    : undefined;
}

function optionFault({ options, ...relation }: RelationMetadataArgs): string | undefined {
  if (relation.isLazy)
    return 'lazy, which has no effect here: relations are read where `fields` names them.';
  if (options.eager)
    return 'eager, which has no effect here: relations are read where `fields` names them.';
  if (options.cascade !== undefined && options.cascade !== false) {
    return 'declared with cascade, which has no effect here: remove it, since nested writes store related rows.';
  }
  if (relation.isTreeParent || relation.isTreeChildren) {
    return 'part of a @Tree, which Doorward does not maintain: use @Field.toOne or @Field.toMany.';
  }
  if (options.onDelete === 'SET NULL' && options.nullable === false) {
    return 'set to NULL when its target is deleted (onDelete), but is not nullable: add { nullable: true }, or use another onDelete.';
  }
  return options.orphanedRowAction === undefined
    ? undefined
    : 'declared with orphanedRowAction, which has no effect here: use onDelete of @Field.toOne instead.';
}
