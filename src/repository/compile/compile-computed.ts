import { functionInputs, isStored } from '../../engine';
import type { SelectedField } from '../query/query';
import { quote } from '../registry/column';
import { compileCell } from './compile-cell';
import { apart, grantIn, type TableScope } from './scope';

/** Column names that no field can have. */
export const inputName = (field: string): string => `$input ${field}`;
export const grantedName = (as: string): string => `$granted ${as}`;

/**
 * The inputs of computed functions: their fields, each once and masked as usual, and, where the function's own field is
 * not granted on all rows, whether it is granted on this one.
 */
export function computedOutput(fields: readonly SelectedField[], scope: TableScope): string[] {
  const inputs = new Set<string>();
  const flags: string[] = [];
  for (const { as, field } of fields) {
    const from = functionInputs(field);
    if (!from) continue;
    const grant = grantIn(apart(scope), field.name);
    if (grant !== true) {
      const condition = grant === false ? 'FALSE' : `(${grant}) IS TRUE`;
      flags.push(`${condition} AS ${quote(grantedName(as))}`);
    }
    if (grant !== false) for (const name of from) inputs.add(name);
  }
  const cells = [...inputs].flatMap((name) => {
    const input = scope.collection.fields.get(name);
    return input && isStored(input)
      ? [`${compileCell(input, scope)} AS ${quote(inputName(name))}`]
      : [];
  });
  return [...cells, ...flags];
}
