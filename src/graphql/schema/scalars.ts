import { GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import type { ObjMap } from 'graphql/jsutils/ObjMap';

/**
 * Any literal as JSON, with its variables replaced. A variable without a value is left out of an object, and null in a
 * list, as in GraphQL's own input objects and lists.
 */
function readLiteral(node: ValueNode, variables?: ObjMap<unknown> | null): unknown {
  switch (node.kind) {
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields
          .map(({ name, value }) => [name.value, readLiteral(value, variables)] as const)
          .filter(([, value]) => value !== undefined),
      );
    case Kind.LIST:
      return node.values.map((each) => readLiteral(each, variables) ?? null);
    default:
      return valueFromASTUntyped(node, variables);
  }
}

const scalar = (name: string, description: string): GraphQLScalarType =>
  new GraphQLScalarType({
    name,
    description,
    parseValue: (value) => value,
    parseLiteral: readLiteral,
  });

export const JsonScalar = scalar('JSON', 'Any JSON value.');

export const BigIntScalar = scalar(
  'BigInt',
  'A 64-bit integer: a number where no digit is lost, else its digits as a string.',
);

export const DecimalScalar = scalar('Decimal', 'An exact decimal number, as a string.');

export const DateScalar = scalar(
  'Date',
  'A date YYYY-MM-DD, a time HH:MM:SS, or an RFC 3339 timestamp (in UTC where it has no offset).',
);

export const RelationScalar = scalar(
  'Relation',
  'The key of a related item, a list of keys, or the item itself as an object.',
);

const OPERAND_KINDS: readonly string[] = [Kind.STRING, Kind.INT, Kind.FLOAT, Kind.VARIABLE];

/**
 * Operands may be variables such as `$NOW`, so their strings are parsed where the column's type is known. This throws
 * no GraphQLError, because graphql-js would pass one on without the position of the value.
 */
export const OperandScalar = new GraphQLScalarType({
  name: 'GraphQLStringOrFloat',
  description: 'A value, as a number or a string, or a variable such as "$NOW".',
  parseValue: (value) => {
    if (typeof value === 'string' || typeof value === 'number') return value;
    throw new TypeError('must be a string or a number');
  },
  parseLiteral: (node, variables) => {
    if (!OPERAND_KINDS.includes(node.kind)) throw new TypeError('must be a string or a number');
    return readLiteral(node, variables);
  },
});
