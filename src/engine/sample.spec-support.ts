import {
  AccessFault,
  bindFilter,
  type BoundFilter,
  type Cell,
  type CollectionShape,
  type ColumnShape,
  evaluateFilter,
  type FieldShape,
  type FilterSetting,
  openLookup,
  parseFilter,
  type RowView,
  type RuleSource,
  type ScalarType,
  type Schema,
  type ToManyShape,
  type ToOneShape,
  type ValueBounds,
  type Variable,
  type VariableSource,
} from './index';

/** Collections for the engine's tables: `things` has a column of every type, the others are for relations. */

type Bounds = ValueBounds & { readonly concealed?: boolean };

const stored = (name: string, type: ScalarType, { concealed = false, ...bounds }: Bounds = {}) => ({
  name,
  type,
  nullable: true,
  concealed,
  hasDefault: false,
  ...bounds,
});

export const column = (name: string, type: ScalarType, bounds?: Bounds): ColumnShape => ({
  kind: 'column',
  ...stored(name, type, bounds),
});

const toOne = (name: string, type: ScalarType, target: string): ToOneShape => ({
  kind: 'to-one',
  target,
  ...stored(name, type),
});

const toMany = (name: string, target: string, foreignKey: string): ToManyShape => ({
  kind: 'to-many',
  name,
  target,
  foreignKey,
  concealed: false,
});

const collection = (name: string, fields: readonly FieldShape[]): CollectionShape => ({
  name,
  key: 'id',
  singleton: false,
  fields: new Map(fields.map((field) => [field.name, field])),
});

export const things = collection('things', [
  column('id', 'integer'),
  column('integer', 'integer'),
  column('small', 'integer', { range: { min: -32768n, max: 32767n } }),
  column('bigint', 'bigint'),
  column('decimal', 'decimal', { precision: 6, scale: 2 }),
  column('double', 'double'),
  column('boolean', 'boolean'),
  column('text', 'text', { maxLength: 5 }),
  column('enum', 'enum', { choices: ['draft', 'live'] }),
  column('uuid', 'uuid'),
  column('date', 'date'),
  column('time', 'time'),
  column('timestamp', 'timestamp'),
  column('json', 'json'),
  column('array', 'array', { element: 'text' }),
  column('secret', 'text', { concealed: true }),
  toOne('owner', 'uuid', 'service_users'),
  toMany('parts', 'parts', 'thing'),
]);

const parts = collection('parts', [
  column('id', 'integer'),
  column('name', 'text'),
  column('size', 'integer'),
  column('secret', 'text', { concealed: true }),
  toOne('thing', 'integer', 'things'),
  toOne('maker', 'uuid', 'service_users'),
  toMany('screws', 'screws', 'part'),
]);

const screws = collection('screws', [
  column('id', 'integer'),
  column('length', 'integer'),
  toOne('part', 'integer', 'parts'),
]);

const users = collection('service_users', [
  column('id', 'uuid'),
  column('name', 'text'),
  column('age', 'integer'),
  column('born', 'date'),
  column('tags', 'array', { element: 'text' }),
  column('password', 'text', { concealed: true }),
  toOne('role', 'uuid', 'service_roles'),
  toOne('boss', 'uuid', 'service_users'),
  toMany('things', 'things', 'owner'),
]);

const roles = collection('service_roles', [
  column('id', 'uuid'),
  column('name', 'text'),
  toOne('parent', 'uuid', 'service_roles'),
]);

const collections = new Map([things, parts, screws, users, roles].map((each) => [each.name, each]));

export const schema: Schema = {
  get: (name) => collections.get(name),
  all: () => collections.values(),
};

export const inQuery: FilterSetting = { lookup: openLookup(schema), position: 'query' };
export const inRule: FilterSetting = { lookup: openLookup(schema), position: 'rule' };

export const NOW = new Date('2024-03-31T12:30:45.678Z');
export const ANNA = 'aaaaaaaa-0000-4000-8000-000000000001';
export const BERT = 'bbbbbbbb-0000-4000-8000-000000000002';

/** Variables by their written names; one that is not listed has no value. */
export const source = (
  values: Readonly<Record<string, Cell | readonly Cell[]>> = {},
): VariableSource => ({
  now: NOW,
  valueOf: (variable) => values[nameOf(variable)],
});

const nameOf = (variable: Exclude<Variable, { kind: 'now' }>): string =>
  [`$CURRENT_${variable.kind.toUpperCase()}`, ...('path' in variable ? variable.path : [])].join(
    '.',
  );

export type SampleRow = Readonly<Record<string, Cell>>;
export type World = Readonly<Record<string, readonly SampleRow[]>>;

/** A row among others, read without rules. */
export function rowOf(shape: CollectionShape, row: SampleRow, world: World = {}): RowView {
  const field = (name: string): FieldShape => shape.fields.get(name) ?? column(name, 'text');
  const rowsBehind = (relation: ToOneShape | ToManyShape): SampleRow[] => {
    const back = relation.kind === 'to-one' ? 'id' : (relation.foreignKey ?? '');
    const own = relation.kind === 'to-one' ? relation.name : shape.key;
    return (world[relation.target] ?? []).filter((other) => other[back] === (row[own] ?? null));
  };
  return {
    cell: (name) => row[name] ?? null,
    count: (name) => {
      const list = field(name);
      return list.kind === 'to-many' ? rowsBehind(list).length : null;
    },
    related: (clause) => {
      const target = collections.get(clause.field.target) ?? shape;
      const some = rowsBehind(clause.field).some((other) =>
        evaluateFilter(clause.filter, rowOf(target, other, world)),
      );
      return clause.kind === 'to-many' && clause.quantifier === 'none' ? !some : some;
    },
  };
}

export const bound = (
  filter: unknown,
  { setting = inQuery, variables = source(), from = 'things' } = {},
): BoundFilter => bindFilter(parseFilter(filter, from, setting), variables);

export const meets = (
  filter: unknown,
  row: SampleRow,
  world?: World,
  variables = source(),
): boolean => evaluateFilter(bound(filter, { variables }), rowOf(things, row, world));

/** The fault that the call ends in. */
export function faultOf(call: () => unknown): AccessFault {
  try {
    call();
  } catch (error) {
    if (error instanceof AccessFault) return error;
    throw error;
  }
  throw new Error('no fault');
}

export const ruleSource = (
  given: Partial<RuleSource> & { readonly [key: string]: unknown } = {},
): RuleSource => ({
  id: 1,
  policy: 'p',
  collection: 'things',
  action: 'read',
  permissions: {},
  validation: {},
  presets: {},
  fields: ['*'],
  ...given,
});
