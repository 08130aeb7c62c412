import { getMetadataArgsStorage } from 'typeorm';
import { belongsTo, isChecked } from './checked-properties';
import { isExisting } from './collection.decorator';
import { classesOf } from './extension';
import type { EntityClass } from './field-declaration';
import { isTooLong, TOO_LONG } from './name-length';

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

/** An entity's table with a decorator or a name that does not work here. */
export function tableFault(entity: EntityClass): string | undefined {
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

/** A column with a decorator, a name or an option that does not work here. */
export function columnFault(entity: EntityClass): string | undefined {
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
export function overriddenFault(entity: EntityClass): string | undefined {
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
export function sharedColumnFault(entity: EntityClass): string | undefined {
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
