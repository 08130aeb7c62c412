import { functionInputs, isStored } from '../../engine';
import type { SelectedField } from '../query/query';
import { compileCell } from './compile-cell';
import { withoutPullUp, grantIn, type TableScope } from './scope';

/** Column names by position: of an input among `inputsOf`, of a grant among the fields. */
export const inputName = (index: number): string => `i${index}`;
export const grantedName = (index: number): string => `g${index}`;

/** The fields that functions read, each once. */
export const inputsOf = (fields: readonly SelectedField[]): readonly string[] => [
  ...new Set(fields.flatMap(({ field }) => functionInputs(field) ?? [])),
];

/** The inputs of computed functions, masked as usual, and whether each function's own field is granted on the row. */
export function computedOutput(fields: readonly SelectedField[], scope: TableScope): string[] {
  const read = new Set<string>();
  const flags = fields.flatMap(({ field }, index) => {
    const from = functionInputs(field);
    if (!from) return [];
    const grant = grantIn(withoutPullUp(scope), field.name);
    for (const name of grant === false ? [] : from) read.add(name);
    const condition = typeof grant === 'string' ? `(${grant}) IS TRUE` : String(grant);
    return [`${condition} AS ${grantedName(index)}`];
  });
  const cells = inputsOf(fields).flatMap((name, index) => {
    const input = scope.collection.fields.get(name);
    return read.has(name) && input && isStored(input)
      ? [`${compileCell(input, scope)} AS ${inputName(index)}`]
      : [];
  });
  return [...cells, ...flags];
}
