import { type ColumnShape, type FieldShape, isStored } from '../../engine';
import {
  type About,
  type Computed,
  type FieldDeclaration,
  RegistrationError,
} from '../../common/schema';
import { castOf, type Column, type ComputedColumn } from './column';
import type { StoredCollection } from './stored-collection';

/** Placeholder for the row's alias; SQL from a team cannot contain it. */
const ALIAS = '\u0001';

/** The entity's other fields and their columns. */
interface Known {
  readonly fields: ReadonlyMap<string, FieldShape>;
  readonly columns: ReadonlyMap<string, Column>;
  readonly about: About | undefined;
}

/** The fields of an entity, including computed ones, by name. */
export function withComputed(
  entity: string,
  described: ReadonlyMap<string, FieldDeclaration>,
  known: Known,
): Pick<StoredCollection, 'fields' | 'computed'> {
  const declared = [...described].flatMap(([name, declaration]) =>
    declaration.kind === 'computed' ? [[name, declaration] as const] : [],
  );
  if (declared.length === 0) return { fields: known.fields };
  const shapes = declared.map(([name, each]) => [name, computedShape(name, each)] as const);
  return {
    fields: new Map([...known.fields, ...shapes]),
    computed: new Map(
      declared.map(([name, each]) => [name, readComputed(each, known, `${entity}.${name}`)]),
    ),
  };
}

const computedShape = (name: string, { type, from, sql }: Computed): ColumnShape => ({
  kind: 'column',
  name,
  type,
  nullable: true,
  concealed: false,
  hasDefault: true,
  writable: 'never',
  computed: { from, by: sql ? 'sql' : 'function' },
});

/**
 * @param place `Order.total`
 * @throws RegistrationError with a sentence that says what to do
 */
function readComputed(declared: Computed, known: Known, place: string): ComputedColumn {
  const { type, from, sql, value } = declared;
  if (from.length === 0) {
    throw new RegistrationError(
      `${place} is computed from nothing: list the fields that it reads under from.`,
    );
  }
  for (const name of from) refuseInput(name, known, place);
  const cast = castOf(type, '');
  const common = { type, cast, from };
  if (!sql) return { ...common, ...(value && { value }) };
  const text = sql((name) => {
    const column = from.includes(name) ? known.columns.get(name) : undefined;
    if (column) return `${ALIAS}.${column.sql}`;
    throw new RegistrationError(
      `${place} reads ${name}, which is not listed under from: add it there.`,
    );
  });
  const expression = `((${text})::${cast})`;
  return { ...common, sql: (alias) => expression.replaceAll(ALIAS, alias) };
}

function refuseInput(name: string, { fields, columns, about }: Known, place: string): void {
  const field = fields.get(name);
  if (!field || !isStored(field) || !columns.has(name)) {
    throw new RegistrationError(
      `${place} is computed from ${name}, which is not a column of the entity: list only stored fields.`,
    );
  }
  if (!field.concealed && about?.parts.includes(name) !== true) return;
  throw new RegistrationError(
    `${place} is computed from ${name}, which is never shown: it would reveal its value.`,
  );
}
