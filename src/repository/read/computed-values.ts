import { type Cell, functionInputs, parseValue, type StoredField } from '../../engine';
import type { BoundQuery, SelectedField } from '../query/query';
import { grantedName, inputName } from '../compile/compile-computed';
import { presentCell } from '../registry/decode';
import type { CollectionRegistry } from '../registry/registry';

type Fill = (row: Record<string, unknown>, cells: readonly unknown[]) => void;

/**
 * Adds the values of computed functions to the rows, from the fields that were read for them. A function that fails, or
 * returns what its type cannot hold, leaves null in that row, and the log reports it once per read.
 * @returns undefined where no such field is shown
 */
export function fillingComputed(
  { fields, collection }: BoundQuery,
  names: readonly string[],
  registry: CollectionRegistry,
): Fill | undefined {
  const computed = fields.filter(isComputed);
  if (computed.length === 0) return undefined;
  const fills = computed.map((each) => fillingOne(each, collection, names, registry));
  return (row, cells) => {
    for (const fill of fills) fill(row, cells);
  };
}

type ComputedField = Extract<SelectedField, { fn: null }>;

const isComputed = (selected: SelectedField): selected is ComputedField =>
  selected.fn === null && functionInputs(selected.field) !== undefined;

function fillingOne(
  { as, field }: ComputedField,
  collection: string,
  names: readonly string[],
  registry: CollectionRegistry,
): Fill {
  const { fields, computed } = registry.table(collection);
  const granted = names.indexOf(grantedName(as));
  const inputs = (functionInputs(field) ?? []).map((name) => ({
    ...{ name, at: names.indexOf(inputName(name)), shape: fields.get(name) as StoredField },
  }));
  const value = computed?.get(field.name)?.value ?? (() => null);
  const log = { told: false };
  return (row, cells) => {
    if (granted >= 0 && cells[granted] !== true) return;
    const read = inputs.map(({ name, at, shape }): [string, Cell] => [
      name,
      presentCell(shape, cells[at]),
    ]);
    try {
      row[as] = shown(field, value(Object.fromEntries(read)));
    } catch (error) {
      if (!log.told) registry.tell(`${collection}.${field.name} could not be computed`, error);
      log.told = true;
    }
  };
}

/** @throws Error for a value that the field's type cannot hold */
function shown(field: StoredField, made: unknown): Cell {
  if (made === null || made === undefined) return null;
  const parsed = parseValue(field, made instanceof Date ? made.toISOString() : made);
  if ('misfit' in parsed) throw new Error(`What its function gives ${parsed.reason}`);
  return presentCell(field, parsed.value);
}
