import type { Cell, ColumnShape, FieldShape, ToManyShape, ToOneShape } from '../../src/engine';

/**
 * The collections of the model test, as plain data from which the entities, the random worlds and the reference are
 * made: a column of every type, once nullable and once not, and every kind of relation.
 */
export interface ModelField {
  readonly shape: FieldShape;
  /** The pool of its values; see `pools.ts`. */
  readonly pool: string;
  readonly collation?: string;
  readonly indexed?: true;
  /** For a foreign key: what happens to its row when the target is deleted. */
  readonly onDelete?: OnDelete;
  /** How the field is computed, by the database and by the model. */
  readonly computed?: ComputedCell;
}

interface ComputedCell {
  readonly sql: (cell: (field: string) => string) => string;
  readonly value: (row: Readonly<Record<string, Cell>>) => Cell;
}

export type OnDelete = 'CASCADE' | 'SET NULL';

export interface ModelTable {
  readonly name: string;
  readonly key: string;
  readonly keyType: 'integer' | 'uuid';
  readonly fields: ReadonlyMap<string, ModelField>;
  /** The field with the time of deletion, if deleted rows are kept. */
  readonly deletedAt?: string;
  /** A junction table that the ORM keeps: no rule can name it. */
  readonly implicit?: true;
}

type ColumnOptions = Partial<Omit<ColumnShape, 'name' | 'kind' | 'type'>> & {
  readonly pool?: string;
  readonly collation?: string;
  readonly indexed?: true;
};

function column(name: string, type: ColumnShape['type'], options: ColumnOptions = {}): ModelField {
  const { pool = type, collation, indexed, ...rest } = options;
  const shape: ColumnShape = {
    kind: 'column',
    name,
    type,
    nullable: true,
    concealed: false,
    hasDefault: false,
    ...rest,
  };
  return {
    shape,
    pool,
    ...(collation !== undefined && { collation }),
    ...(indexed && { indexed }),
  };
}

function computed(
  name: string,
  type: ColumnShape['type'],
  from: readonly string[],
  by: ComputedCell,
): ModelField {
  const { shape, pool } = column(name, type);
  const made = { computed: { from, by: 'sql' }, writable: 'never', hasDefault: true } as const;
  return { shape: { ...shape, ...made } as ColumnShape, pool, computed: by };
}

/** A nullable column and the same column without NULL. */
const both = (
  name: string,
  type: ColumnShape['type'],
  options: ColumnOptions = {},
): ModelField[] => [
  column(name, type, options),
  column(`${name}_set`, type, { ...options, nullable: false }),
];

const key = (type: 'integer' | 'uuid'): ModelField =>
  column('id', type, { pool: `${type} key`, nullable: false, hasDefault: true });

function toOne(
  name: string,
  target: string,
  type: 'integer' | 'uuid',
  { nullable = true, onDelete }: { nullable?: boolean; onDelete?: OnDelete } = {},
): ModelField {
  const shape: ToOneShape = {
    kind: 'to-one',
    name,
    target,
    type,
    nullable,
    concealed: false,
    hasDefault: false,
  };
  return { shape, pool: `${type} key`, indexed: true, ...(onDelete && { onDelete }) };
}

const toMany = (name: string, target: string, how: Partial<ToManyShape>): ModelField => ({
  shape: { kind: 'to-many', name, target, concealed: false, ...how },
  pool: '',
});

const table = (
  name: string,
  keyType: 'integer' | 'uuid',
  fields: readonly ModelField[],
  deletedAt?: string,
): ModelTable => ({
  name,
  key: 'id',
  keyType,
  ...(deletedAt !== undefined && { deletedAt }),
  fields: new Map([key(keyType), ...fields].map((field) => [field.shape.name, field])),
});

const DELETED = 'deleted_at';
const deletedAt = column(DELETED, 'timestamp', { pool: 'deleted' });

export const CHOICES = ['draft', 'Published', 'ARCHIVED'];
export const THINGS = 'model_things';

const things = table(
  THINGS,
  'integer',
  [
    deletedAt,
    ...both('integer', 'integer'),
    ...both('bigint', 'bigint'),
    ...both('decimal', 'decimal', { precision: 10, scale: 2 }),
    ...both('number', 'decimal', { pool: 'number' }),
    ...both('double', 'double'),
    ...both('boolean', 'boolean'),
    ...both('short', 'text', { maxLength: 20, collation: 'und-x-icu' }),
    ...both('text', 'text', { collation: 'C' }),
    ...both('enum', 'enum', { choices: CHOICES }),
    ...both('uuid', 'uuid'),
    ...both('date', 'date'),
    ...both('time', 'time'),
    ...both('timestamp', 'timestamp'),
    column('fine', 'timestamp', { pool: 'fine' }),
    ...both('json', 'json'),
    ...both('array', 'array', { element: 'text' }),
    column('secret', 'text', { concealed: true }),
    column('timestamp_year', 'integer'),
    computed('computed', 'integer', ['integer', 'boolean_set'], {
      sql: (cell) =>
        `coalesce(${cell('integer')}, -1) % 7 + coalesce(${cell('boolean_set')}, false)::int * 10`,
      value: (row) => (Number(row['integer'] ?? -1) % 7) + Number(row['boolean_set']) * 10,
    }),
    toOne('place', 'model_places', 'uuid', { onDelete: 'SET NULL' }),
    toOne('parent', THINGS, 'integer'),
    toMany('children', THINGS, { foreignKey: 'parent' }),
    toMany('notes', 'model_notes', { foreignKey: 'thing' }),
    toMany('tags', 'model_tags', {
      through: { collection: 'model_links', foreignKey: 'thing', targetForeignKey: 'tag' },
    }),
    toMany('marks', 'model_places', {
      through: { collection: 'model_marks', foreignKey: 'thing', targetForeignKey: 'place' },
    }),
    toMany('others', THINGS, {
      through: { collection: 'model_bonds', foreignKey: 'one', targetForeignKey: 'other' },
    }),
  ],
  DELETED,
);

/** The junction of a list whose rows are of the same collection. */
const bonds = table('model_bonds', 'uuid', [
  toOne('one', THINGS, 'integer', { onDelete: 'CASCADE' }),
  toOne('other', THINGS, 'integer', { onDelete: 'SET NULL' }),
]);

const places = table(
  'model_places',
  'uuid',
  [
    column('name', 'text'),
    column('size', 'integer', { indexed: true }),
    // A group may have the same name as an aggregate.
    column('count', 'integer'),
    column('sum', 'text'),
    toOne('keeper', 'service_users', 'uuid'),
    toMany('things', THINGS, { foreignKey: 'place' }),
    deletedAt,
  ],
  DELETED,
);

const notes = table('model_notes', 'integer', [
  column('body', 'text'),
  column('rank', 'integer'),
  toOne('thing', THINGS, 'integer', { nullable: false, onDelete: 'CASCADE' }),
]);

const tags = table('model_tags', 'uuid', [
  column('label', 'text', { nullable: false }),
  toMany('links', 'model_links', { foreignKey: 'tag' }),
]);

const links = table(
  'model_links',
  'integer',
  [
    toOne('thing', THINGS, 'integer', { onDelete: 'CASCADE' }),
    toOne('tag', 'model_tags', 'uuid'),
    deletedAt,
  ],
  DELETED,
);

const users = table('service_users', 'uuid', [
  column('title', 'text'),
  column('level', 'integer'),
  column('far', 'bigint'),
  column('exact', 'decimal', { precision: 12, scale: 2 }),
  column('number', 'decimal', { pool: 'number' }),
  column('rough', 'double'),
  column('labels', 'array', { element: 'text' }),
  column('numbers', 'array', { element: 'integer', pool: 'numbers' }),
  column('flag', 'boolean'),
  column('mark', 'uuid'),
  column('choice', 'enum', { choices: CHOICES }),
  column('day', 'date'),
  column('clock', 'time'),
  column('moment', 'timestamp'),
  toOne('role', 'service_roles', 'uuid'),
  toOne('home', 'model_places', 'uuid', { onDelete: 'SET NULL' }),
]);

const roles = table('service_roles', 'uuid', [
  column('name', 'text'),
  toOne('parent', 'service_roles', 'uuid'),
]);

/**
 * The collections that rules can name; a table comes before those that refer to it, except in a circle of nullable
 * keys.
 */
export const COLLECTIONS: readonly ModelTable[] = [
  roles,
  users,
  places,
  things,
  notes,
  tags,
  links,
  bonds,
];

export const MARKS: ModelTable = {
  ...table('model_marks', 'integer', [
    toOne('thing', THINGS, 'integer', { nullable: false }),
    toOne('place', 'model_places', 'uuid', { nullable: false }),
  ]),
  implicit: true,
};

const TABLES = new Map([...COLLECTIONS, MARKS].map((each) => [each.name, each]));

export function tableOf(name: string): ModelTable {
  const found = TABLES.get(name);
  if (!found) throw new Error(`The model has no table ${name}`);
  return found;
}

export function fieldOf(collection: string, name: string): FieldShape {
  const found = tableOf(collection).fields.get(name);
  if (!found) throw new Error(`The model has no field ${collection}.${name}`);
  return found.shape;
}

export const shapesOf = (collection: string): FieldShape[] =>
  [...tableOf(collection).fields.values()].map(({ shape }) => shape);
