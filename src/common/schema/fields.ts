import type { ScalarType } from '../../engine';
import {
  Column,
  type ColumnOptions,
  Entity,
  Index,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  PrimaryGeneratedColumn,
  type RelationOptions,
} from 'typeorm';
import {
  type About,
  declareCollection,
  declareField,
  type EntityClass,
  type EntityReference,
  type FieldDeclaration,
  type Junction,
  type TargetReference,
} from './field-declaration';

type Decorate = (prototype: object, property: string | symbol) => void;

interface FieldOptions {
  readonly nullable?: boolean;
  readonly unique?: boolean;
  /** A literal, or an SQL expression as `() => 'now()'`. */
  readonly default?: ColumnOptions['default'];
  /** Written but never shown, filtered or sorted by: passwords, secrets. */
  readonly concealed?: boolean;
  /** Of a user: everybody is shown their own at `/users/me`, whatever the rules say. */
  readonly ownProfile?: true;
}

/** A relation has no default, and is no secret: its target's rules decide who sees it. */
interface ToOneOptions extends Pick<FieldOptions, 'nullable' | 'unique' | 'ownProfile'> {
  readonly onDelete?: RelationOptions['onDelete'];
  /** False: the target may be gone, as from a log that outlives it; it then leads to nothing. */
  readonly constraint?: boolean;
}

type Element = Exclude<ScalarType, 'array' | 'json'>;

const SQL_TYPES = {
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric',
  double: 'double precision',
  boolean: 'boolean',
  text: 'text',
  enum: 'varchar',
  uuid: 'uuid',
  date: 'date',
  time: 'time',
  timestamp: 'timestamptz',
  json: 'jsonb',
} as const;

interface CollectionOptions {
  /** One row, made by migration, read and updated without a key. */
  readonly singleton?: boolean;
  /** The table, where it bears another name than the collection. */
  readonly table?: string;
  /** Its rows are about those of other collections. */
  readonly about?: About;
}

const tables = new Map<string, string>();

/** Declares the entity a collection. Its table bears the same name unless another is given. */
export function Collection(name: string, options: CollectionOptions = {}): ClassDecorator {
  const { singleton = false, table = name, about } = options;
  return (target) => {
    tables.set(name, table);
    Entity({ name: table })(target);
    declareCollection(target as unknown as new () => object, {
      name,
      singleton,
      ...(about && { about }),
    });
  };
}

/** TypeORM takes a table's name wherever it takes a class; which table is known once all entities are declared. */
const entityOf = (target: TargetReference): EntityReference =>
  typeof target === 'string'
    ? () => (tables.get(target) ?? target) as unknown as EntityClass
    : target;

function column(
  type: Exclude<ScalarType, 'array'>,
  options: FieldOptions,
  more: ColumnOptions = {},
  described: Partial<FieldDeclaration & { kind: 'column' }> = {},
): Decorate {
  const { concealed = false, ownProfile, ...stored } = options;
  return compose(
    Column({ type: SQL_TYPES[type], ...stored, ...more }),
    declare({
      kind: 'column',
      type,
      concealed,
      key: false,
      filled: stored.default !== undefined,
      ...(ownProfile && { ownProfile }),
      ...described,
    }),
  );
}

const declare =
  (declaration: FieldDeclaration): Decorate =>
  (prototype, property) => {
    declareField(prototype, String(property), declaration);
  };

const compose =
  (...decorators: readonly Decorate[]): Decorate =>
  (prototype, property) => {
    for (const decorate of decorators) decorate(prototype, property);
  };

/**
 * The one declaration of a property: its column, its place in both transports and the bounds that are checked.
 * A property without one of these is not exposed.
 */
export const Field = {
  /** The key, made by the database: an identity integer, a long one where many rows come and go, or a UUID. */
  key: (type: 'integer' | 'bigint' | 'uuid'): Decorate =>
    compose(
      type === 'uuid'
        ? PrimaryGeneratedColumn('uuid')
        : PrimaryGeneratedColumn('identity', {
            generatedIdentity: 'BY DEFAULT',
            ...(type === 'bigint' && { type }),
          }),
      declare({ kind: 'column', type, concealed: false, key: true, filled: true }),
    ),
  text: (options: FieldOptions & { readonly length?: number } = {}): Decorate => {
    const { length, ...rest } = options;
    return column('text', rest, length === undefined ? {} : { type: 'varchar', length });
  },
  /** One of a fixed list of words: kept as text, or in an enum type of the database's if `type` names one. */
  enum: (
    choices: readonly string[],
    options: FieldOptions & { readonly type?: string } = {},
  ): Decorate => {
    const { type: enumName, ...rest } = options;
    const sql: ColumnOptions = enumName
      ? { type: 'enum', enum: [...choices], enumName }
      : { length: 255 };
    return column('enum', rest, sql, { choices });
  },
  integer: (options: FieldOptions = {}): Decorate => column('integer', options),
  bigint: (options: FieldOptions = {}): Decorate => column('bigint', options),
  decimal: (
    options: FieldOptions & { readonly precision?: number; readonly scale?: number } = {},
  ): Decorate => column('decimal', options),
  double: (options: FieldOptions = {}): Decorate => column('double', options),
  boolean: (options: FieldOptions = {}): Decorate => column('boolean', options),
  uuid: (options: FieldOptions = {}): Decorate => column('uuid', options),
  date: (options: FieldOptions = {}): Decorate => column('date', options),
  time: (options: FieldOptions = {}): Decorate => column('time', options, { precision: 3 }),
  timestamp: (options: FieldOptions = {}): Decorate =>
    column('timestamp', options, { precision: 3 }),
  json: (options: FieldOptions = {}): Decorate => column('json', options),
  /** @param options `choices`: of a list of `enum`, the words that there are */
  array: (
    element: Element,
    options: FieldOptions & { readonly choices?: readonly string[] } = {},
  ): Decorate => {
    const { concealed = false, ownProfile, choices, ...stored } = options;
    return compose(
      Column({ type: SQL_TYPES[element], array: true, ...stored }),
      declare({
        kind: 'column',
        type: 'array',
        element,
        ...(choices && { choices }),
        concealed,
        key: false,
        filled: stored.default !== undefined,
        ...(ownProfile && { ownProfile }),
      }),
    );
  },
  /** A foreign key. The column bears the property's name. */
  toOne: (target: TargetReference, options: ToOneOptions = {}): Decorate => {
    const { onDelete = 'NO ACTION', nullable = false, unique = false } = options;
    const { constraint = true, ownProfile } = options;
    return (prototype, property) => {
      const relation = { onDelete, nullable, createForeignKeyConstraints: constraint };
      ManyToOne(entityOf(target), relation)(prototype, property);
      JoinColumn({ name: String(property) })(prototype, property);
      if (unique) Index({ unique })(prototype, property);
      declare({ kind: 'to-one', target, filled: false, ...(ownProfile && { ownProfile }) })(
        prototype,
        property,
      );
    };
  },
  /** The rows of another collection whose foreign key is ours. */
  toMany: (target: TargetReference, foreignKey: string): Decorate =>
    declare({ kind: 'one-to-many', target, foreignKey }),
  /** Rows linked by a junction collection with a life of its own. */
  through: (target: TargetReference, junction: Junction): Decorate =>
    declare({ kind: 'many-to-many', target, junction }),
  /**
   * Rows linked by a junction table that TypeORM keeps: whoever is granted the list is granted its links.
   * @param inverse the list of the target that owns the junction table, where this is its other side
   */
  manyToMany: (target: TargetReference, inverse?: string): Decorate =>
    compose(
      inverse === undefined
        ? compose(ManyToMany(entityOf(target)), JoinTable())
        : ManyToMany(entityOf(target), inverse),
      declare({ kind: 'many-to-many', target }),
    ),
};
