import type { JsonSchema } from './describe.decorator';

export const TEXT = { type: 'string' } as const;
export const UUID = { type: 'string', format: 'uuid' } as const;
export const INSTANT = { type: 'string', format: 'date-time' } as const;
export const FLAG = { type: 'boolean' } as const;
export const INTEGER = { type: 'integer' } as const;
/** An object with any properties; without this, generated types would have none. */
export const OBJECT = { type: 'object', additionalProperties: true } as const;

/** The query parameters that say how items are shown, for a route that finds its items itself. */
export const SHOWING = { fields: TEXT, meta: TEXT, alias: TEXT, deep: TEXT } as const;

export const choiceOf = (...choices: readonly string[]): JsonSchema => ({
  type: 'string',
  enum: choices,
});

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** @param properties by name; a name that ends in `?` may be absent */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const required = Object.keys(properties).filter((name) => !name.endsWith('?'));
  const named = Object.entries(properties).map(([name, schema]) => [
    name.replace(/\?$/, ''),
    schema,
  ]);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(named) as JsonSchema,
  };
}

/** The same, without any other properties. */
export const exactly = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  ...objectOf(properties),
  additionalProperties: false,
});

/** The same, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: choices } = schema;
  if (type === undefined) return '$ref' in schema || 'anyOf' in schema ? anyOr(schema) : schema;
  const types = new Set([type, 'null'].flat());
  const values = Array.isArray(choices) ? { enum: [...new Set([...choices, null])] } : {};
  return { ...schema, type: [...types], ...values };
}

const NULL: JsonSchema = { type: 'null' };

function anyOr(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  return { anyOf: [...(Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : [schema]), NULL] };
}
