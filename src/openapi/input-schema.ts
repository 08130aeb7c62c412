import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import type { JsonSchema } from '../common/request/describe.decorator';
import { orNull } from '../common/request/json-schema';

type Check = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** The schema of an input class, from its decorators. A check of our own gives its schema in its `context`. */
export function inputSchema(input: Type<object>): JsonSchema {
  const checks = getMetadataStorage().getTargetValidationMetadatas(input, '', false, false);
  const names = [...new Set(checks.map(({ propertyName }) => propertyName))];
  const of = (name: string) => checks.filter(({ propertyName }) => propertyName === name);
  const required = names.filter((name) => !of(name).some(isOptional));
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      names.map((name): [string, JsonSchema] => [name, propertySchema(of(name))]),
    ),
  };
}

function propertySchema(checks: readonly Check[]): JsonSchema {
  const { minLength, ...rest } = Object.assign({}, ...checks.map(schemaOfCheck)) as JsonSchema;
  const isBounded = minLength !== undefined && !checks.some((check) => isLeftOut(check, ''));
  const schema = isBounded ? { ...rest, minLength } : rest;
  return checks.some((check) => isLeftOut(check, null)) ? orNull(schema) : schema;
}

/** Whether a property with this value counts as left out. A condition on other properties leaves that open. */
function isLeftOut(check: Check, value: unknown): boolean {
  const [isChecked] = (check as CheckDetails).constraints ?? [];
  if (!isOptional(check) || typeof isChecked !== 'function') return false;
  try {
    return isChecked({ [check.propertyName]: value }, value) === false;
  } catch {
    return false;
  }
}

/** The package's types say that more is present than is. */
interface CheckDetails {
  readonly name?: string;
  readonly constraints?: readonly unknown[];
  readonly context?: { readonly schema?: JsonSchema };
}

const isOptional = ({ type }: Check): boolean => type === 'conditionalValidation';

function schemaOfCheck(check: Check): JsonSchema {
  const { name, constraints, context } = check as CheckDetails;
  const schema = context?.schema;
  if (schema) return schema;
  const first = constraints?.[0];
  switch (name) {
    case 'isString':
      return { type: 'string' };
    case 'isNotEmpty':
      return { minLength: 1 };
    case 'maxLength':
      return { maxLength: first };
    case 'isIn':
      return { type: 'string', enum: first };
    default:
      return {};
  }
}
