import { type ColumnOptions, getMetadataArgsStorage } from 'typeorm';
import type { ColumnMetadataArgs } from 'typeorm/metadata-args/ColumnMetadataArgs.js';
import type { GeneratedMetadataArgs } from 'typeorm/metadata-args/GeneratedMetadataArgs.js';
import type { JoinColumnMetadataArgs } from 'typeorm/metadata-args/JoinColumnMetadataArgs.js';
import type { RelationMetadataArgs } from 'typeorm/metadata-args/RelationMetadataArgs.js';
import type { ScalarType } from '../../engine';
import { checkDecorators } from './check-decorators';
import { classesOf } from './extension';
import type { EntityClass, FieldDeclaration, TargetReference } from './field-declaration';
import type { Element, ExposeOptions } from './field-options';
import { RegistrationError } from './registration-error';
import { isObject } from '../is-object';

type Scalar = Exclude<ScalarType, 'array'>;

/** Types that are compared in memory as in the database; `real`, `citext` and similar ones are not. */
const SCALARS: Readonly<Record<string, Scalar>> = {
  int: 'integer',
  int2: 'integer',
  int4: 'integer',
  smallint: 'integer',
  integer: 'integer',
  Number: 'integer',
  int8: 'bigint',
  bigint: 'bigint',
  decimal: 'decimal',
  numeric: 'decimal',
  float: 'double',
  float8: 'double',
  'double precision': 'double',
  bool: 'boolean',
  boolean: 'boolean',
  Boolean: 'boolean',
  text: 'text',
  varchar: 'text',
  'character varying': 'text',
  String: 'text',
  enum: 'enum',
  uuid: 'uuid',
  date: 'date',
  time: 'time',
  'time without time zone': 'time',
  timestamp: 'timestamp',
  'timestamp without time zone': 'timestamp',
  Date: 'timestamp',
  timestamptz: 'timestamp',
  'timestamp with time zone': 'timestamp',
  jsonb: 'json',
};

/**
 * The type of a field with such a column; none where it cannot be read.
 * @param sqlType as PostgreSQL writes it
 */
export const readableType = (sqlType: string): ScalarType | undefined =>
  Object.hasOwn(SCALARS, sqlType) ? SCALARS[sqlType] : undefined;

/**
 * Reads a property with TypeORM's own decorators.
 * @throws RegistrationError where it has none, or an unsupported type
 */
export function exposedProperty(
  entity: EntityClass,
  property: string,
  options: ExposeOptions,
): FieldDeclaration {
  const { columns, relations } = getMetadataArgsStorage();
  const isIt = ({ target, propertyName }: ColumnMetadataArgs | RelationMetadataArgs): boolean =>
    classesOf(entity).includes(target) && propertyName === property;
  const relation = relations.find(isIt);
  if (relation) return exposedRelation(entity, relation, options);
  const column = columns.find(isIt);
  if (column) return exposedColumn(entity, column, options);
  throw new RegistrationError(
    `${entity.name}.${property} is exposed but has no column: put TypeORM's @Column below @Field.expose(), or use another decorator of Field.`,
  );
}

function exposedColumn(
  entity: EntityClass,
  { propertyName, options: stored }: ColumnMetadataArgs,
  { type: requested, concealed = false, ownProfile, choices: listed }: ExposeOptions,
): FieldDeclaration {
  const { array = false, default: filled, primary = false } = stored;
  const generation = generationOf(entity, propertyName);
  // TypeORM makes it a uuid too, whatever type is declared.
  const raw = generation?.strategy === 'uuid' ? 'uuid' : stored.type;
  const sqlType = typeof raw === 'function' ? raw.name : String(raw);
  const known = SCALARS[sqlType];
  if (raw === undefined) {
    // A decorator of TypeORM's that has a type by itself is refused by its name.
    checkDecorators(entity);
    throw new RegistrationError(
      `${entity.name}.${propertyName} is exposed but has no type: give @Column a type, or use another decorator of Field.`,
    );
  }
  if (known === undefined || (requested !== undefined && !isReadAs(known, requested))) {
    throw new RegistrationError(
      `${entity.name}.${propertyName} is of the type ${sqlType}, which cannot be read${requested === undefined ? '' : ` as ${requested}`}: remove @Field.expose(), or show it by a view.`,
    );
  }
  const type = requested ?? known;
  const fault = columnFault(stored, type);
  if (fault !== undefined) throw new RegistrationError(`${entity.name}.${propertyName} ${fault}`);
  const choices = listed ?? enumeration(stored.enum);
  const isComputed = stored.generatedType !== undefined;
  return {
    kind: 'column',
    type: array ? 'array' : type,
    ...(array && { element: type as Element }),
    ...(choices && type === 'enum' && { choices }),
    concealed,
    key: primary,
    filled: filled !== undefined || generation !== undefined || isComputed,
    ...(isComputed && { writing: ['readOnly'] }),
    ...(ownProfile && { ownProfile }),
  };
}

const generationOf = (entity: EntityClass, property: string): GeneratedMetadataArgs | undefined =>
  getMetadataArgsStorage().generations.find(
    ({ target, propertyName }) => classesOf(entity).includes(target) && propertyName === property,
  );

function columnFault({ select, array }: ColumnOptions, type: Scalar): string | undefined {
  if (select === false)
    return 'has select: false, which has no effect here: expose it as { concealed: true }, or remove @Field.expose().';
  if (array === true && (type === 'json' || type === 'enum'))
    return `is a list of ${type === 'json' ? 'JSON values: use one JSON value' : 'an enum type: use a list of text'} instead.`;
  return undefined;
}

/** Whether a column of this type may be exposed as that one: a text column may be an enum. */
const isReadAs = (known: Scalar, requested: ScalarType): boolean =>
  requested === known || (known === 'text' && requested === 'enum');

/** As TypeORM reads it: a numeric enum of TypeScript also holds its names, as values of its numbers. */
function enumeration(declared: unknown): string[] | undefined {
  if (!isObject(declared)) return undefined;
  if (Array.isArray(declared)) return declared.map(String);
  const named = Object.entries(declared).filter(([name]) => Number.isNaN(Number(name)));
  return named.map(([, value]) => String(value));
}

function exposedRelation(
  entity: EntityClass,
  { propertyName, relationType, type, inverseSideProperty }: RelationMetadataArgs,
  { ownProfile }: ExposeOptions,
): FieldDeclaration {
  const target = (): EntityClass => (type as () => EntityClass)();
  const joins = getMetadataArgsStorage().joinColumns.filter(
    (each) => classesOf(entity).includes(each.target) && each.propertyName === propertyName,
  );
  const place = `${entity.name}.${propertyName}`;
  switch (relationType) {
    case 'many-to-one':
    case 'one-to-one':
      if (joins.length > 1 || joins.some((join) => !leadsToKey(target(), join))) {
        throw new RegistrationError(
          `${place} refers to a column other than the key, or to several: expose the columns themselves instead.`,
        );
      }
      if (relationType === 'one-to-one' && joins.length === 0) break;
      return { kind: 'to-one', target, filled: false, ...(ownProfile && { ownProfile }) };
    case 'one-to-many':
      return { kind: 'one-to-many', target, foreignKey: propertyOf(inverseSideProperty) };
    case 'many-to-many':
      return { kind: 'many-to-many', target: target as TargetReference };
  }
  throw new RegistrationError(
    `${place} is a one-to-one whose foreign key is on the other side: expose it there, with its @JoinColumn().`,
  );
}

const leadsToKey = (
  target: EntityClass,
  { referencedColumnName: name }: JoinColumnMetadataArgs,
): boolean =>
  name === undefined ||
  getMetadataArgsStorage().columns.some(
    ({ target: owner, propertyName, options }) =>
      classesOf(target).includes(owner) && propertyName === name && options.primary === true,
  );

/** TypeORM accepts the name, or a function that returns it: `(line) => line.invoice`. */
function propertyOf(inverse: RelationMetadataArgs['inverseSideProperty']): string {
  if (typeof inverse !== 'function') return inverse ?? '';
  const named = new Proxy({}, { get: (_, name) => String(name) });
  return String((inverse as (names: object) => unknown)(named));
}
