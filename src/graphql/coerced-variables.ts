import { getVariableValues } from 'graphql';
import type { ValidOperation } from './derived-from-operation';

/** One fault is enough: describing thousands takes seconds. */
const ONE_FAULT = { maxErrors: 1 };

/** @returns undefined where variables are wrong: the executor detects that again, and reports every fault */
export function coercedVariables(
  { schema, operation }: Pick<ValidOperation, 'schema' | 'operation'>,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return {};
  return getVariableValues(schema, definitions, variables, ONE_FAULT).coerced;
}
