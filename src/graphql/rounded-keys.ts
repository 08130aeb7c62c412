import {
  getNullableType,
  GraphQLID,
  type GraphQLInputType,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
} from 'graphql';
import { InvalidQuery } from '../common/errors';
import { isObject } from '../common/is-object';
import type { ValidOperation } from './derived-from-operation';

/**
 * Refuses keys sent as JSON numbers that are not exact: `JSON.parse` has rounded them to the key of another row, and
 * graphql-js would make that a text like any other. Literals of the document are read digit by digit.
 * @throws InvalidQuery
 */
export function refuseRoundedKeys(
  { schema, operation }: Pick<ValidOperation, 'schema' | 'operation'>,
  variables: Readonly<Record<string, unknown>>,
): void {
  for (const { variable, type: node } of operation.variableDefinitions ?? []) {
    const { value: name } = variable.name;
    const type = typeFromAST(schema, node);
    const sent = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (!isInputType(type) || !holdsRounded(type, sent)) continue;
    throw new InvalidQuery({
      reason: `the variable $${name} holds a key beyond 2^53 as a number: send it as a string`,
    });
  }
}

function holdsRounded(type: GraphQLInputType, sent: unknown): boolean {
  const inner = getNullableType(type);
  if (isListType(inner)) {
    const members: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
    return members.some((member) => holdsRounded(inner.ofType, member));
  }
  if (!isInputObjectType(inner)) return inner === GraphQLID && isRounded(sent);
  if (!isObject(sent)) return false;
  const fields = inner.getFields();
  return Object.entries(sent).some(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field !== undefined && holdsRounded(field.type, value);
  });
}

const isRounded = (sent: unknown): boolean => Number.isInteger(sent) && !Number.isSafeInteger(sent);
