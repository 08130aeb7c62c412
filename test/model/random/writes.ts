import fc from 'fast-check';
import type { Cell, ColumnShape } from '../../../src/engine';
import { LIST_VARIABLES, NUMBER_LIST_VARIABLES, SEARCHES, STORED, VARIABLES } from '../pools';
import { COLLECTIONS, type ModelField, type ModelTable, tableOf, THINGS } from '../tables';
import type { ModelRule, RawFilter, SentRow, Write } from '../world';
import { filterOf, often, variablesFor } from './filters';
import { payloadOf, stored, valueOf } from './payloads';
import { fieldsOf } from './worlds';

type Arb<T> = fc.Arbitrary<T>;

const NESTED = { depth: 2, least: 1 };

/** This many rows without relations are stored by one statement. */
const MANY = { minLength: 4, maxLength: 5 };

/** The collection with every kind of relation occurs more often. */
const TABLES = [...COLLECTIONS, ...Array.from({ length: 4 }, () => tableOf(THINGS))];

export const randomWrite: Arb<Write> = fc.constantFrom(...TABLES).chain((table): Arb<Write> => {
  const base = {
    collection: fc.constant(table.name),
    bold: often([false, false, false, false, true]),
    single: fc.boolean(),
  };
  const keys = STORED[`${table.keyType} key`] ?? [];
  const some = fc.shuffledSubarray([...keys], { minLength: 1, maxLength: 2 });
  const nesting = fc.constantFrom({ depth: 0 }, NESTED, NESTED);
  const payload = nesting.chain((how) => payloadOf(table, false, how));
  const whole = nesting.chain((how) => payloadOf(table, true, how));
  const kind = <K extends Write['kind']>(name: K): Arb<K> => fc.constant(name);
  const plain = payloadOf(table, true, { depth: 0 });
  const create: Arb<Write> = fc.record({
    ...base,
    kind: kind('create'),
    payloads: fc.oneof(
      { arbitrary: fc.array(whole, { minLength: 1, maxLength: 2 }), weight: 3 },
      { arbitrary: fc.array(plain, MANY), weight: 1 },
    ),
  });
  const update: Arb<Write> = fc.record({ ...base, kind: kind('update'), keys: some, payload });
  return fc.oneof(
    { arbitrary: create, weight: 2 },
    { arbitrary: update, weight: 2 },
    fc.record({ ...base, kind: kind('update selected'), ...selection(table), payload }),
    fc.record({
      ...base,
      kind: kind('update each'),
      updates: fc.oneof(
        updatesOf(keys, payload, { minLength: 1, maxLength: 2 }),
        updatesOf(keys, payloadOf(table, false, { depth: 0 }), MANY),
      ),
    }),
    fc.record({ ...base, kind: kind('delete'), keys: some }),
    fc.record({ ...base, kind: kind('delete selected'), ...selection(table) }),
  );
});

const updatesOf = (
  keys: readonly Cell[],
  payload: Arb<SentRow>,
  { minLength, maxLength }: typeof MANY,
) =>
  fc.uniqueArray(fc.record({ key: fc.constantFrom(...keys), payload }), {
    ...{ minLength, maxLength },
    selector: ({ key }) => key,
  });

/** A selection of rows by a query, sometimes with parameters that only reads accept. */
const selection = (table: ModelTable) => ({
  filter: filterOf(table.name, 'query', 1),
  page: fc.oneof(
    { arbitrary: fc.constant({}), weight: 3 },
    {
      arbitrary: fc.record(
        {
          limit: fc.constantFrom(-1, 0, 1, 2),
          offset: fc.constantFrom(0, 1),
          search: often(SEARCHES),
        },
        { requiredKeys: [] },
      ),
      weight: 1,
    },
  ),
  shown: fc.oneof(
    { arbitrary: fc.constant<RawFilter>({}), weight: 9 },
    { arbitrary: shownOf(table), weight: 1 },
  ),
});

function shownOf(table: ModelTable): Arb<RawFilter> {
  const names = stored(table).map(([name]) => name);
  const relations = [...table.fields.values()].filter(({ shape }) => shape.kind !== 'column');
  return fc.oneof(
    fc.constantFrom(...names).map((name) => ({ alias: { [table.key]: name } })),
    fc.constantFrom(...names).map((name) => ({ fields: [name] })),
    fc.constantFrom('*', 'total_count').map((meta) => ({ meta })),
    fc
      .constantFrom(...relations.map(({ shape }) => shape.name), table.key)
      .map((name) => ({ deep: { [name]: { _limit: 1 } } })),
  );
}

function presetOf(field: ModelField): Arb<Cell> {
  const { shape } = field;
  const variables =
    shape.kind === 'column' && shape.type === 'array'
      ? listsOf(shape)
      : shape.kind === 'to-many'
        ? []
        : variablesFor(shape.type);
  const literal = valueOf(field).filter((value) => !looksLikeVariable(value));
  return variables.length === 0
    ? literal
    : fc.oneof(
        { arbitrary: literal, weight: 2 },
        { arbitrary: fc.constantFrom(...variables), weight: 1 },
      );
}

const listsOf = ({ element }: ColumnShape): readonly string[] =>
  element === 'integer' ? NUMBER_LIST_VARIABLES : LIST_VARIABLES;

const looksLikeVariable = (value: Cell): boolean =>
  Object.values(VARIABLES).some((names) =>
    names.includes(String(JSON.stringify(value)).slice(1, -1)),
  );

function presetsOf(table: ModelTable): Arb<Record<string, Cell>> {
  const entries = stored(table).filter(
    ([name, { shape }]) => ![table.key, table.deletedAt].includes(name) && !shape.concealed,
  );
  return fc
    .uniqueArray(
      fc
        .constantFrom(...entries)
        .chain(([name, field]) => presetOf(field).map((value): [string, Cell] => [name, value])),
      { maxLength: 2, selector: ([name]) => name },
    )
    .map((presets) => Object.fromEntries(presets));
}

function writeRule(table: ModelTable): Arb<ModelRule> {
  const filter = filterOf(table.name, 'rule', 1);
  const names = [...table.fields.keys()];
  const concealed = stored(table).filter(([, { shape }]) => shape.concealed);
  const secret = fc
    .constantFrom('_eq', '_neq', '_nempty', '_icontains')
    .map((word) =>
      Object.fromEntries(
        concealed.map(([name]) => [name, { [word]: word === '_nempty' ? true : 'a' }]),
      ),
    );
  return fc.record({
    collection: fc.constant(table.name),
    action: fc.constantFrom('create', 'update', 'delete'),
    permissions: fc.option(filter, { freq: 3, nil: null }),
    validation: fc.oneof(fc.constant(null), filter, ...(concealed.length > 0 ? [secret] : [])),
    presets: fc.option(presetsOf(table), { freq: 2, nil: null }),
    fields: fc.oneof(fc.constant(['*']), fieldsOf(names)),
  });
}

/** Rules for an action on every row, so that not every request for many rows is refused because of one of them. */
const wideRules = (table: ModelTable): Arb<ModelRule[]> =>
  fc.subarray(['create', 'update', 'delete'] as const, { minLength: 1 }).map((actions) =>
    actions.map((action) => ({
      ...{ collection: table.name, action, fields: ['*'] },
      ...{ permissions: null, validation: null, presets: null },
    })),
  );

/** Rules for writing, for all collections. */
export const writeRules: Arb<ModelRule[]> = fc
  .tuple(
    ...COLLECTIONS.map(({ name }) => {
      const rule = writeRule(tableOf(name));
      const narrow = fc.array(rule, { minLength: 3, maxLength: 6, size: 'max' });
      return fc.tuple(narrow, wideRules(tableOf(name)));
    }),
  )
  .map((rules) => rules.flat(2));
