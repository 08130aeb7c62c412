import { getMetadataStorage } from 'class-validator';
import { getMetadataArgsStorage } from 'typeorm';
import type { RelationMetadataArgs } from 'typeorm/metadata-args/RelationMetadataArgs.js';
import { transformerFault } from './class-transformer';
import { isExisting } from './collection.decorator';
import { classesOf } from './extension';
import { type EntityClass, isExposed } from './field-declaration';
import { RegistrationError } from './registration-error';

/** Decorators that TypeORM applies only in its own queries, which serve no requests, and what to use instead. */
const COLUMNS: Readonly<Record<string, readonly [decorator: string, instead: string]>> = {
  createDate: ['@CreateDateColumn', 'use @Field.timestamp({ createdAt: true })'],
  updateDate: ['@UpdateDateColumn', 'use @Field.timestamp({ updatedAt: true })'],
  deleteDate: ['@DeleteDateColumn', 'use @Field.timestamp({ nullable: true, deletedAt: true })'],
  version: ['@VersionColumn', 'use @Field.integer({ version: true })'],
  'virtual-property': ['@VirtualColumn', 'use a computed field, or a view'],
  treeLevel: ['@TreeLevelColumn', 'keep the level in a hook'],
  objectId: ['@ObjectIdColumn', 'use @Field.key'],
};

const VALIDATORS: Readonly<Record<string, string>> = {
  isEmail: '{ email: true }',
  min: '{ min }',
  max: '{ max }',
  isPositive: '{ min }',
  matches: '{ pattern }',
  maxLength: '{ length }',
  isLength: '{ length }',
  isIn: 'Field.enum([…])',
  isEnum: 'Field.enum([…])',
  isUuid: 'Field.uuid()',
  isInt: 'Field.integer()',
  isBoolean: 'Field.boolean()',
  isOptional: '{ nullable: true }',
};

const HOOK = 'a hook (@HooksOf) that throws FailedValidation';

/**
 * Refuses decorators of TypeORM, class-validator and class-transformer that would silently have no effect.
 * @throws RegistrationError that names the property and what to use
 */
export function checkDecorators(entity: EntityClass): void {
  const fault =
    tableFault(entity) ??
    columnFault(entity) ??
    overriddenFault(entity) ??
    sharedColumnFault(entity) ??
    relationFault(entity) ??
    listenerFault(entity) ??
    embeddedFault(entity) ??
    validatorFault(entity) ??
    transformerFault(entity, (propertyName) => isChecked(entity)({ target: entity, propertyName }));
  if (fault !== undefined) throw new RegistrationError(`${entity.name}${fault}`);
}

const belongsTo =
  (entity: EntityClass) =>
  ({ target }: { readonly target?: unknown }): boolean =>
    classesOf(entity).includes(target);

/** Leaves out what only the team's own data source knows of an existing table: it works there as before. */
const isChecked =
  (entity: EntityClass) =>
  (declared: { readonly target?: unknown; readonly propertyName: string }): boolean =>
    belongsTo(entity)(declared) &&
    (!isExisting(entity) || isExposed(entity, declared.propertyName));

/** In bytes: PostgreSQL cuts longer ones off. */
export const LONGEST_NAME = 63;
const TOO_LONG = `a name in PostgreSQL has at most ${LONGEST_NAME} bytes.`;

/** A comparison would miss a name that has been cut off. */
const isTooLong = (name: string): boolean => Buffer.byteLength(name) > LONGEST_NAME;

function tableFault(entity: EntityClass): string | undefined {
  const mapped = getMetadataArgsStorage().tables.filter(({ target }) => target === entity);
  if (mapped.some(({ type }) => type === 'view')) {
    return " has @ViewEntity, which would be written to like a table: use @Collection('…', { view: true }), and create the view in a migration.";
  }
  for (const { name = '', schema = '' } of mapped) {
    // TypeORM does not escape them, so PostgreSQL would refuse its migrations.
    if (name.includes('"')) {
      return ` has the table ${name}: the name of a table must not contain double quotes.`;
    }
    if (isTooLong(name)) return ` has the table ${name}: ${TOO_LONG}`;
    if (isTooLong(schema)) return ` has the schema ${schema}: ${TOO_LONG}`;
  }
  return mapped.length > 1
    ? " has @Entity beside @Collection, each with a table: keep @Collection('…', { table: '…' }) alone."
    : undefined;
}

function columnFault(entity: EntityClass): string | undefined {
  const { columns: all, joinColumns } = getMetadataArgsStorage();
  for (const { propertyName, name = '' } of joinColumns.filter(isChecked(entity))) {
    const fault = columnNameFault(entity, name);
    if (fault !== undefined) return `.${propertyName} has the column ${name}: ${fault}`;
  }
  for (const { propertyName, mode, options } of all.filter(isChecked(entity))) {
    const [decorator, instead] = COLUMNS[mode] ?? [];
    if (decorator !== undefined) {
      return `.${propertyName} has ${decorator}, which Doorward does not fill: ${instead} instead.`;
    }
    const fault = columnNameFault(entity, options.name ?? '');
    if (fault !== undefined) return `.${propertyName} has the column ${options.name}: ${fault}`;
    if (options.transformer !== undefined) {
      return `.${propertyName} has a transformer, which requests do not use: remove it, and convert the value in a hook (toStored).`;
    }
    if (options.update === false || options.insert === false) {
      return `.${propertyName} has insert: false or update: false, which has no effect here: use readOnly or writeOnce of Field instead.`;
    }
  }
  return undefined;
}

function columnNameFault(entity: EntityClass, name: string): string | undefined {
  if (isTooLong(name)) return TOO_LONG;
  // In a migration TypeORM would not escape them.
  return name.includes('"') && !isExisting(entity)
    ? 'the name of a column must not contain double quotes.'
    : undefined;
}

/** TypeORM takes the column of the base class, and of a relation its options, where both classes declare one. */
function overriddenFault(entity: EntityClass): string | undefined {
  const { columns, relations } = getMetadataArgsStorage();
  const declared = new Map<string, unknown>();
  for (const { target, propertyName } of [...columns, ...relations].filter(isChecked(entity))) {
    const other = declared.get(propertyName);
    if (other !== undefined && other !== target) {
      const [, base] = classesOf(entity).filter((each) => each === target || each === other);
      return `.${propertyName} overrides the column of ${nameOf(base)}, which TypeORM would keep: declare it in one of the two classes.`;
    }
    declared.set(propertyName, target);
  }
  return undefined;
}

const nameOf = (declaring: unknown): string =>
  typeof declaring === 'function' ? declaring.name : String(declaring);

/** In a table that exists already fields may share a column; a migration would create it once for each. */
function sharedColumnFault(entity: EntityClass): string | undefined {
  if (isExisting(entity)) return undefined;
  const { columns } = getMetadataArgsStorage();
  const seen = new Map<string, string>();
  for (const { propertyName, options } of columns.filter(belongsTo(entity))) {
    const name = options.name ?? propertyName;
    const other = seen.get(name);
    if (other !== undefined && other !== propertyName) {
      return `.${propertyName} and ${other} have the same column ${name}: give each a column of its own.`;
    }
    seen.set(name, propertyName);
  }
  return undefined;
}

function relationFault(entity: EntityClass): string | undefined {
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

function listenerFault(entity: EntityClass): string | undefined {
  const listener = getMetadataArgsStorage().entityListeners.find(isChecked(entity));
  if (!listener) return undefined;
  const decorator = listener.type.replace(/(?:^|-)([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
  return `.${listener.propertyName} has @${decorator}, which never runs: write a class of hooks with @HooksOf(${entity.name}) instead.`;
}

function embeddedFault(entity: EntityClass): string | undefined {
  const embedded = getMetadataArgsStorage().embeddeds.find(isChecked(entity));
  return embedded
    ? `.${embedded.propertyName} embeds the columns of another class, which no query can name: declare each as a field of its own, with { column }.`
    : undefined;
}

function validatorFault(entity: EntityClass): string | undefined {
  const validator = getMetadataStorage()
    .getTargetValidationMetadatas(entity, '', true, false)
    .find(({ propertyName }) => isChecked(entity)({ target: entity, propertyName }));
  if (!validator) return undefined;
  const name = validator.name ?? validator.type;
  const instead = VALIDATORS[name];
  const decorator = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return `.${validator.propertyName} has @${decorator} of class-validator, which has no effect here: use ${instead ?? HOOK} instead.`;
}
