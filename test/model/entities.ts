import { Column, Index } from 'typeorm';
import { Collection, declareField, type EntityClass, Field } from '../../src/common/schema';
import { isStored, type JunctionShape } from '../../src/engine';
import { COLLECTIONS, type ModelField, type ModelTable, tableOf } from './tables';

const made = new Map<string, EntityClass>();

/** The entity of a collection of the model, declared with the same decorators as any other. */
function entityOf(name: string): EntityClass {
  const known = made.get(name);
  if (known) return known;
  const entity = { [name]: class {} }[name] as EntityClass;
  made.set(name, entity);
  declare(entity, tableOf(name));
  return entity;
}

export const entities = (): EntityClass[] => COLLECTIONS.map(({ name }) => entityOf(name));

function declare(entity: EntityClass, table: ModelTable): void {
  const prototype = entity.prototype as object;
  for (const [name, field] of table.fields) {
    if (name === table.key) Field.key(table.keyType)(prototype, name);
    else if (name === table.deletedAt)
      Field.timestamp({ nullable: true, deletedAt: true })(prototype, name);
    else mapField(prototype, field);
    if (field.indexed) Index()(prototype, name);
  }
  Collection(table.name)(entity);
}

function mapField(prototype: object, field: ModelField): void {
  const { shape } = field;
  if (shape.kind === 'column') return mapColumn(prototype, field);
  const decorate =
    shape.kind === 'to-one'
      ? Field.toOne(() => entityOf(shape.target), toOneOptions(field))
      : shape.foreignKey !== undefined
        ? Field.toMany(shape.target, shape.foreignKey)
        : shape.through && !tableOf(shape.through.collection).implicit
          ? Field.through(shape.target, junctionOf(shape.through))
          : Field.manyToMany(() => entityOf(shape.target));
  decorate(prototype, shape.name);
}

const junctionOf = ({ collection, foreignKey, targetForeignKey }: JunctionShape) => ({
  collection,
  near: foreignKey,
  far: targetForeignKey,
});

function mapColumn(prototype: object, { shape, pool, collation, computed }: ModelField): void {
  if (shape.kind !== 'column') return;
  const { name, type, nullable, concealed, maxLength: length } = shape;
  if (computed)
    Field.computed('integer', { from: shape.computed?.from ?? [], sql: computed.sql })(
      prototype,
      name,
    );
  else if (pool === 'fine') {
    Column({ type: 'timestamptz', nullable })(prototype, name);
    declareField(prototype, name, { kind: 'column', type, concealed, key: false, filled: false });
  } else if (type === 'text') {
    const sql =
      length === undefined ? { type: 'text' as const } : { type: 'varchar' as const, length };
    Column({ ...sql, nullable, ...(collation !== undefined && { collation }) })(prototype, name);
    declareField(prototype, name, { kind: 'column', type, concealed, key: false, filled: false });
  } else if (type === 'enum') Field.enum(shape.choices ?? [], { nullable })(prototype, name);
  else if (type === 'array') Field.array(shape.element ?? 'text', { nullable })(prototype, name);
  else if (type === 'decimal') Field.decimal({ nullable, ...numeric(shape) })(prototype, name);
  else Field[type]({ nullable })(prototype, name);
}

const toOneOptions = ({ shape, onDelete }: ModelField) => ({
  nullable: isStored(shape) && shape.nullable,
  ...(onDelete && { onDelete }),
});

const numeric = ({ precision, scale }: { precision?: number; scale?: number }) =>
  precision === undefined ? {} : { precision, scale };
