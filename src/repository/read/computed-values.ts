import { type Cell, functionInputs, parseValue, type StoredField } from '../../engine';
import type { BoundQuery, SelectedField } from '../query/query';
import { grantedName, inputName, inputsOf } from '../compile/compile-computed';
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
  if (!fields.some(isComputed)) return undefined;
  const inputs = inputsOf(fields);
  const inputAt = (name: string): number => names.indexOf(inputName(inputs.indexOf(name)));
  const fills = fields.flatMap((selected, index) => {
    const granted = names.indexOf(grantedName(index));
    const source = { collection, registry, granted, inputAt };
    return isComputed(selected) ? fillingOne(selected, source) : [];
  });
  return (row, cells) => {
    for (const fill of fills) fill(row, cells);
  };
}

type ComputedField = Extract<SelectedField, { fn: null }>;

const isComputed = (selected: SelectedField): selected is ComputedField =>
  selected.fn === null && functionInputs(selected.field) !== undefined;

interface Source {
  readonly collection: string;
  readonly registry: CollectionRegistry;
  /** The position of the cell that says whether the field is granted; without one, it is not. */
  readonly granted: number;
  readonly inputAt: (name: string) => number;
}

function fillingOne(
  { as, field }: ComputedField,
  { collection, registry, granted, inputAt }: Source,
): Fill {
  const { fields, computed } = registry.table(collection);
  const inputs = (functionInputs(field) ?? []).map((name) => ({
    name,
    at: inputAt(name),
    shape: fields.get(name) as StoredField,
  }));
  const value = computed?.get(field.name)?.value ?? (() => null);
  const log = { reported: false };
  return (row, cells) => {
    if (cells[granted] !== true) return;
    const read = inputs.map(({ name, at, shape }): [string, Cell] => [
      name,
      presentCell(shape, cells[at]),
    ]);
    try {
      row[as] = shown(field, value(Object.fromEntries(read)));
    } catch (error) {
      if (!log.reported)
        registry.logFault(`${collection}.${field.name} could not be computed`, error);
      log.reported = true;
    }
  };
}

/** @throws Error for a value that the field's type cannot hold */
function shown(field: StoredField, made: unknown): Cell {
  if (made === null || made === undefined) return null;
  const parsed = parseValue(field, made instanceof Date ? made.toISOString() : made);
  if ('misfit' in parsed) throw new Error(`The result of its function ${parsed.reason}`);
  return presentCell(field, parsed.value);
}
