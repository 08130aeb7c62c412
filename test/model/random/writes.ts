import fc from 'fast-check';
import type { Cell } from '../../../src/access';
import { LIST_VARIABLES, STORED, VARIABLES } from '../pools';
import { COLLECTIONS, type ModelField, type ModelTable, tableOf } from '../tables';
import type { ModelRule, SentRow, Write } from '../world';
import { filterOf, often, variablesFor } from './filters';
import { fieldsOf } from './worlds';

type Arb<T> = fc.Arbitrary<T>;

const stored = ({ fields }: ModelTable): [string, ModelField][] =>
  [...fields].filter(([, { shape }]) => shape.kind !== 'to-many');

/** A value that can be sent; JSON has no NaN, and no exact number beyond 2^53. */
function valueOf({ shape, pool }: ModelField): Arb<Cell> {
  if (shape.kind === 'to-many') throw new Error(`${shape.name} is a list`);
  const { maxLength = Infinity } = shape;
  const values = (STORED[pool] ?? []).filter((value) =>
    typeof value === 'number'
      ? Math.abs(value) <= Number.MAX_SAFE_INTEGER
      : value !== 'NaN' && (typeof value !== 'string' || value.length <= maxLength),
  );
  const freq = shape.nullable ? 4 : 40;
  return fc.option(often(values), { freq, nil: null });
}

/** Some of the fields; of a new row all that it cannot be without, and sometimes its key. */
function payloadOf(table: ModelTable, whole: boolean): Arb<SentRow> {
  const entries = stored(table).filter(([name]) => whole || name !== table.key);
  const required = entries.filter(
    ([name, { shape }]) =>
      whole && name !== table.key && shape.kind !== 'to-many' && !shape.nullable,
  );
  const names = entries.map(([name]) => name);
  return fc
    .tuple(
      fc.record(Object.fromEntries(entries.map(([name, field]) => [name, valueOf(field)]))),
      fc.shuffledSubarray(names, { maxLength: Math.min(names.length, 4) }),
    )
    .map(([values, chosen]) => {
      const sent = new Set([...required.map(([name]) => name), ...chosen]);
      const kept = Object.entries(values).filter(([name]) => sent.has(name));
      // A key that is null is none.
      return Object.fromEntries(kept.filter(([name, cell]) => name !== table.key || cell !== null));
    });
}

export const randomWrite: Arb<Write> = fc
  .constantFrom(...COLLECTIONS)
  .chain((table): Arb<Write> => {
    const base = {
      collection: fc.constant(table.name),
      bold: often([false, false, false, false, true]),
    };
    const keys = STORED[`${table.keyType} key`] ?? [];
    const some = fc.shuffledSubarray([...keys], { minLength: 1, maxLength: 2 });
    const filter = filterOf(table.name, 'query', 1);
    const payload = payloadOf(table, false);
    const most = table.keyType === 'uuid' ? 1 : 2;
    const kind = <K extends Write['kind']>(name: K): Arb<K> => fc.constant(name);
    return fc.oneof(
      fc.record({
        ...base,
        kind: kind('create'),
        payloads: fc.array(payloadOf(table, true), { minLength: 1, maxLength: most }),
      }),
      fc.record({ ...base, kind: kind('update'), keys: some, payload }),
      fc.record({ ...base, kind: kind('update selected'), filter, payload }),
      fc.record({
        ...base,
        kind: kind('update each'),
        updates: fc.uniqueArray(fc.record({ key: fc.constantFrom(...keys), payload }), {
          minLength: 1,
          maxLength: 2,
          selector: ({ key }) => key,
        }),
      }),
      fc.record({ ...base, kind: kind('delete'), keys: some }),
      fc.record({ ...base, kind: kind('delete selected'), filter }),
    );
  });

function presetOf(field: ModelField): Arb<Cell> {
  const { shape } = field;
  const variables =
    shape.kind === 'column' && shape.type === 'array'
      ? LIST_VARIABLES
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

const looksLikeVariable = (value: Cell): boolean =>
  Object.values(VARIABLES).some((names) =>
    names.includes(String(JSON.stringify(value)).slice(1, -1)),
  );

function presetsOf(table: ModelTable): Arb<Record<string, Cell>> {
  const entries = stored(table).filter(
    ([name, { shape }]) => name !== table.key && !shape.concealed,
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

/** Rules for writing, for all collections. */
export const writeRules: Arb<ModelRule[]> = fc
  .tuple(
    ...COLLECTIONS.map(({ name }) =>
      fc.array(writeRule(tableOf(name)), { minLength: 3, maxLength: 6, size: 'max' }),
    ),
  )
  .map((rules) => rules.flat());
